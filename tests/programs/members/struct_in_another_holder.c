// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A pointer to a member that lies in a struct that is read as another struct.
struct point { int x, y; };
struct numbers { int *first; };
struct points { struct point *first; };

int main(void) {
    struct point all[2] = {{0}};
    struct numbers numbers = {&all[0].y};
    struct points *points = (struct points *)&numbers;
    points->first->x = 5;
    //@ RESIDUAL!   all[0].y == 0
    return 0;
}
