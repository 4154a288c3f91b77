// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A pointer to a member that is read from a union as one to a struct.
struct point { int x, y; };
union either { void *any; struct point *point; };

int main(void) {
    struct point points[2] = {{0}};
    union either either;
    either.any = &points[0].y;
    either.point->x = 5;
    //@ RESIDUAL!   points[0].y == 0
    return 0;
}
