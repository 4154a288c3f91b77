// smalti: --stages shrink
// The code after a search reads what the search writes; a count wraps around in the whole run, but
// in no short run.
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 300);
    int a[300];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int seen = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == 5) seen = 1;
    }
    int found = 0, last = 0, asked = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == 5) {
            found = 1;
            last = i;
        }
    }
    if (asked == 0) {
        asked = 1;
        //@ PROVED     seen == found
        //@ RESIDUAL!  found == 0 || last == 0
    }
    unsigned char narrow = 0;
    int wide = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] != 5) narrow = narrow + 1;
    }
    for (int i = 0; i < n; i++) {
        if (a[i] != 5) wide = wide + 1;
    }
    //@ RESIDUAL!  narrow == wide
    return 0;
}
