// smalti: --stages summary --checks assertion
// A loop that a flag ends goes through its step once more after the flag is set. What a flag looks
// for may be another value in each iteration, and a search may end a loop later than it finds.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { LENGTH = 8 };

int main(void) {
    int a[LENGTH], key = __VERIFIER_nondet_int();
    for (int i = 0; i < LENGTH; i++) a[i] = __VERIFIER_nondet_int();
    int found = 0, i = 0, j, k;
    while (i < LENGTH && !found) {
        if (a[i] == key) found = 1;
        i++;
    }
    __VERIFIER_assert(!found || a[i - 1] == key);       //@ PROVED
    __VERIFIER_assert(found || i == LENGTH);            //@ PROVED
    __VERIFIER_assert(i > 0);                           //@ PROVED
    //@ RESIDUAL! !found || i == LENGTH || a[i] == key  that is the next one
    //@ RESIDUAL! a[0] != key || i == LENGTH    the first one was found
    for (i = 0; i < LENGTH; i++) {
        for (j = 0; j < i && a[j] != key; j++) ;
        if (j + 2 <= i) break;
    }
    if (__VERIFIER_nondet_int() == 1)
        __VERIFIER_assert(i == LENGTH || a[i - 1] == key);      //@ RESIDUAL!  it is the one before
    for (i = 0; i < LENGTH; i++) {
        int seen = 0;
        if (i == 2) __VERIFIER_assert(a[0] != a[i]);    //@ RESIDUAL!  the third may be the first
        for (k = 0; k < i; k++) {
            if (a[k] == a[i]) seen = 1;
        }
        if (seen) break;
    }
    return 0;
}
