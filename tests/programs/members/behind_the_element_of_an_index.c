// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// The element of an index may be the struct that comes behind the array, and so are its members.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
struct point { int x, y; };
struct line { struct point on[1], end; };

int main(void) {
    struct line line = {{{1, 2}}, {3, 4}};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1)
        abort();
    struct point *p = &line.on[n];
    int *x = &p->x;
    *x = 5;
    //@ RESIDUAL!   line.end.x == 3
    return 0;
}
