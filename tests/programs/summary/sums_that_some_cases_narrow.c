// smalti: --stages summary --checks assertion
// A sum is narrowed in some iterations, and kept or made less narrow in others.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), which = __VERIFIER_nondet_int(), one[4] = {0, 0, 0, 0};
    int narrow = 0, wide = 0, sum = 0;
    one[n & 3] = 1;
    for (int i = 0; i < 4; i++) {
        if (one[i]) narrow = (unsigned short)(narrow + 300);
        else narrow = (unsigned char)(narrow + 7);
    }
    for (int i = 0; i < 4; i++) {
        if (one[i]) wide = wide + 300;
        else wide = (unsigned char)(wide + 7);
    }
    for (int i = 0; i < 4; i++) {
        if (one[i]) sum = (unsigned short)(sum + 300);
        else sum = (unsigned short)(sum + 7);
    }
    if (which == 1)
        __VERIFIER_assert(narrow < 256);        //@ RESIDUAL!  the last case may be the wide one
    if (which == 2)
        __VERIFIER_assert(wide < 256);          //@ RESIDUAL!  the last case may be the wide one
    __VERIFIER_assert(sum == 321);              //@ PROVED
    return 0;
}
