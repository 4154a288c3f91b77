// smalti: --stack smash/octagon --stages domains
// A pointer's target is unknown once unknown code, or a store through another type, may have
// changed it.
extern void unknown_pointer(int **);
extern int *any_pointer(void);
int global = 1;

int main(void) {
    int x = 1, y = 2, z = 3, hidden = 4;
    int *p = &x, *q = &y;
    unknown_pointer(&p);
    *p = 5;
    //@ RESIDUAL!   x == 5
    long *view = (long *)&q;
    *view = (long)&z;
    *q = 6;
    //@ RESIDUAL!   y == 6
    //@ RESIDUAL!   z == 3
    int *r = any_pointer();
    global = 1;
    *r = 7;
    //@ RESIDUAL!   global == 1
    //@ PROVED      hidden == 4
    return 0;
}
