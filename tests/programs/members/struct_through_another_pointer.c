// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A pointer to a member that is stored through a pointer to a pointer to a struct.
struct point { int x, y; };

int main(void) {
    struct point points[2] = {{0}};
    struct point *point;
    *(int **)&point = &points[0].y;
    point->x = 5;
    //@ RESIDUAL!   points[0].y == 0
    return 0;
}
