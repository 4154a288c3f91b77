// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice,unwind
// A store through a pointer to another type changes a pointer's target.
int main(void) {
    int y = 2, z = 3;
    int *q = &y;
    long *view = (long *)&q;
    *view = (long)&z;
    *q = 6;
    //@ RESIDUAL!   y == 6
    //@ RESIDUAL!   z == 3
    return 0;
}
