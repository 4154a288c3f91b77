// smalti: --stages domains --stack values
// A program of so many calls that each function is executed once for all of them. A call that
// changes a part of a struct leaves the other members as they were, whatever earlier calls began
// with.
extern int __VERIFIER_nondet_int(void);
struct whole { int m, n; int t[3]; };
static struct whole all;
static unsigned count;
#define CALLS(f, g) static void f(int x) { if (x > 1) g(x - 1); if (x > 2) g(x - 2); if (x > 3) g(x - 3); }
static void last(int x) { while (x > 0) { count++; x--; } }
CALLS(a, last) CALLS(b, a) CALLS(c, b) CALLS(d, c) CALLS(e, d) CALLS(f, e) CALLS(g, f) CALLS(h, g)
CALLS(i, h) CALLS(j, i) CALLS(k, j) CALLS(l, k) CALLS(m, l) CALLS(n, m)
static void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
int main(void)
{
    n(__VERIFIER_nondet_int() & 7);
    struct whole s;
    s.n = 7;
    for (int i = 0; i < 2; i++) {
        fill(s.t, 2);
        //@ RESIDUAL! s.n == 7      it is 0 after the first iteration
        //@ PROVED    s.t[1] == 1
        s = all;
    }
    return 0;
}
