// smalti: --stages summary --checks assertion
// What a jump backward leads to is executed once more, with other values.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

void again(int n) {
    int x = 0;
back:
    __VERIFIER_assert(x == 0);      //@ RESIDUAL!  it is 1 if n is 2
    x = 1;
    if (n == 2) {
        n = 5;
        goto back;
    }
}

void into_a_branch(int n) {
    if (n > 3) {
        if (n < 3) {
        inside:
            reach_error();      //@ RESIDUAL!  it is reached if n is 2
        }
    }
    if (n == 2) goto inside;
}

void in_a_loop(int n) {
    for (int i = 0; i < 3; i++) {
        int y = 0;
    back:
        __VERIFIER_assert(y == 0);      //@ RESIDUAL!  it is 1 in the second iteration
        y++;
        if (i == 1 && y < 3) goto back;
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 10) again(n - 10);
    else if (n > 0) into_a_branch(n);
    else in_a_loop(n);
    return 0;
}
