// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// An address that is stored one past a member is found in the next member.
struct ends { int *first, *last; };

int main(void) {
    int x = 0, y = 0;
    struct ends ends = {&x, &x};
    int **p = &ends.first;
    p[1] = &y;
    *ends.last = 5;
    //@ RESIDUAL!   y == 0
    return 0;
}
