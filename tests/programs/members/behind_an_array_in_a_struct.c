// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A pointer into an array that is a member may leave the array.
extern int __VERIFIER_nondet_int(void);
struct row { int cells[2]; int last; };

int main(void) {
    struct row row = {{0}, 0};
    int *p = row.cells;
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3)
        p[i] = 1;
    //@ RESIDUAL!   row.last == 0
    return 0;
}
