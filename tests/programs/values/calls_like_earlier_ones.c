// smalti: --stack values --stages domains
// A call in the state of an earlier call is not executed again: it does what that one did. What it
// reads must be the same, and what it does not touch stays.
extern int __VERIFIER_nondet_int(void);
int mode, total, last, table[4];

static int slow(int x) {
    int bits = 0;
    for (int n = 0; n < 16; n++)
        if (x >> n & 1) bits++;
    last = x;
    return mode ? bits : -bits;
}

static void set(int *p, int value) {
    for (int n = 0; n < 40; n++) *p = n;
    *p = value;
}

static int of_table(int k) {
    int sum = 0;
    for (int n = 0; n < 40; n++) sum += table[k];
    return sum;
}

int main(void) {
    int any = __VERIFIER_nondet_int(), result = 0, other = 7;
    if (any < 0 || any > 0xffff) return 0;
    mode = 1;
    for (int n = 0; n < 50; n++) {
        result = slow(any);
        other = n;
    }
    //@ PROVED      result >= 0 && result <= 16
    //@ RESIDUAL!   result == 0
    //@ PROVED      other == 49
    //@ PROVED      last >= 0
    mode = 0;
    result = slow(any);
    //@ PROVED      result <= 0
    //@ RESIDUAL!   result == 0
    last = -1;
    result = slow(any);
    //@ PROVED      last >= 0
    //@ RESIDUAL!   last == 5

    int a = 0, b = 0;
    for (int n = 0; n < 10; n++) {
        a = 0;
        set(&a, 3);
        //@ PROVED      a == 3 && (n == 0 || b == 4)
        set(&b, 4);
        //@ PROVED      a == 3 && b == 4
        set(n % 2 ? &a : &b, 5);
        //@ PROVED      n % 2 ? a == 5 && b == 4 : a == 3 && b == 5
        b = 4;
    }

    for (int n = 0; n < 10; n++) {
        result = of_table(1);
        //@ PROVED      result == 0
    }
    table[2] = 9;
    result = of_table(1);
    //@ PROVED      result == 0
    table[1] = 2;
    result = of_table(1);
    //@ PROVED      result == 80
    result = of_table(2);
    //@ PROVED      result == 360
    table[1] = any & 1;
    result = of_table(1);
    //@ RESIDUAL!   result == 0
    return 0;
}
