// smalti: --stages summary
// smalti: --stages domains,summary
// What is read twice is the same, unless a write past the end of the array has changed something in
// between. Nothing keeps the size within the array.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int cells[1000];
    int size = __VERIFIER_nondet_int();
    for (int i = 0; i < size; i++) {
        cells[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < size; i++) {
        if (cells[i] % 2 == 0) {
            __VERIFIER_assert(cells[i] % 2 == 0);   //@ RESIDUAL  a run accesses memory out of bounds
        }
    }
    return 0;
}
