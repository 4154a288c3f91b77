// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// The address one past the last element is that of the next member.
struct row { int cells[2]; int last; };

int main(void) {
    struct row rows[2] = {{{0}}};
    int *p = &rows[0].cells[2];
    *p = 1;
    //@ RESIDUAL!   rows[0].last == 0
    return 0;
}
