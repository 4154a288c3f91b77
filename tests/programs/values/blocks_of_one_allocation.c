// smalti: --stack values --stages domains --checks bounds
// Blocks of one allocation have one name in the end: equal offsets are not equal addresses.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
int b[2];

int main(void) {
    int *first = 0, *last = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        last = malloc(sizeof *last);
        *last = i;                                              //@ PROVED bounds
        if (i == 500) first = last;
    }
    if (first && last) {
        if (first != last) b[2] = 1;                            //@ RESIDUAL! bounds
        int other = *first != *last;                            //@ PROVED bounds
        if (other) b[3] = 1;                                    //@ RESIDUAL! bounds
        // C does not order blocks. No more is known of such runs.
        if (first < last) b[4] = 1;                             //@ RESIDUAL! bounds
        if (first > last) b[5] = 1;                             //@ RESIDUAL! bounds
        if (last - first) b[6] = 1;                             //@ RESIDUAL! bounds
    }
    return 0;
}
