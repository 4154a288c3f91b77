// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// The members after a struct that is a member.
struct point { int x, y; };
struct line { struct point from, to; };

int main(void) {
    struct line line = {{1, 2}, {3, 4}};
    struct point *p = &line.from;
    int *x = &p[1].x;
    *x = 5;
    //@ RESIDUAL!   line.to.x == 3
    return 0;
}
