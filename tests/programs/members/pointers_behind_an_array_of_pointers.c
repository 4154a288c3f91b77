// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// The address one past an array of pointers that is a member is that of the next member.
struct ends { int *first[2], *last; };

int main(void) {
    int x = 0, y = 0;
    struct ends ends = {{&x, &x}, &x};
    int **p = &ends.first[2];
    *p = &y;
    *ends.last = 5;
    //@ RESIDUAL!   y == 0
    return 0;
}
