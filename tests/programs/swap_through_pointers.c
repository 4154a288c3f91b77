// smalti: --stack smash/box
// Two pointers that may be equal.
extern int __VERIFIER_nondet_int(void);

static void swap(int *p, int *q) {
    int t = *p;
    *p = *q;
    *q = t;
}

int main(void) {
    int a[2] = { 3, 4 };
    int i = __VERIFIER_nondet_int() ? 1 : 0;
    swap(&a[0], &a[i]);
    //@ PROVED      a[0] + a[1] == 7
    //@ VIOLATED    a[0] == 4
    //@ VIOLATED    a[0] == 3
    return 0;
}
