// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// An index one past the end of an array selects the struct after it, and the members of that
// struct.
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
