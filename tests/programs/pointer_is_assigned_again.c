// smalti: --stack smash/octagon --stages domains
// A pointer has the targets that it got last, until something else may have changed it.
extern int __VERIFIER_nondet_int(void);
int short_one[10], long_one[100], *global;

int walk(void) {
    int sum = 0;
    for (global = short_one; global < short_one + 10; global++) sum ^= *global;     //@ PROVED bounds
    for (global = long_one; global < long_one + 100; global++) sum ^= *global;      //@ PROVED bounds
    return sum;
}

int main(void) {
    int x = 1, y = 2, n = __VERIFIER_nondet_int();
    int *p = &x;
    *p = 3;
    p = &y;
    *p = 4;
    //@ PROVED      x == 3 && y == 4
    if (n > 50) p = &x;
    *p = 5;
    //@ RESIDUAL!   x == 3
    //@ RESIDUAL!   y == 4

    int *q = short_one;
    for (int i = 0; i < 10; i++) q[i] = 1;                      //@ PROVED bounds
    q = long_one;
    for (int i = 0; i < 100; i++) q[i] = 2;                     //@ PROVED bounds
    for (int i = 0; i < 100; i++) {
        q[i] = 3;                                               //@ RESIDUAL! bounds
        if (i == n - 1000) q = short_one;
    }

    global = long_one;
    int **through = &global;
    *through = short_one;
    global[9] = 1;                                              //@ PROVED bounds
    if (n == 7) global[10] = 1;                                 //@ RESIDUAL! bounds
    *(n ? through : &q) = long_one;
    if (n > 60) global[50] = 1;                                 //@ RESIDUAL bounds
    global = long_one;
    global[99] = 1;                                             //@ PROVED bounds

    struct { int *to, other; } s = {&x, 1}, t;
    t = s;
    *t.to = 8;
    //@ PROVED      x == 8
    s.to = &y;
    t = n > 70 ? s : t;
    *t.to = 9;
    //@ RESIDUAL!   x == 8
    return walk();
}
