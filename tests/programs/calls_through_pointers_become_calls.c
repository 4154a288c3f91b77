// smalti: --stages domains
/* The octagons follow calls through pointers, as soon as the value analysis knows where they
   lead. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void unknown(void);

static int more(int n) { return n + 1; }
static int same(int n) { return n; }

static int (*const steps[2])(int) = {more, same};

static void counts_along(int n) {
    int done = 0;
    if (n < 0 || n > 1000000) return;
    for (int i = 0; i < n; i++) {
        unsigned which = __VERIFIER_nondet_int() > 0;
        done = steps[which](done);
        assert(done <= i + 1); //@ PROVED
    }
    assert(done <= n); //@ PROVED
    assert(done >= n); //@ RESIDUAL
}

/* Where it leads is known from the caller alone. */
static int apply(int (*f)(int), int n) { return f(n); }

static int less(int n) { return n - 1; }

static void passes_functions(int n) {
    if (n < -1000 || n > 1000) return;
    int a = apply(more, n), b = apply(less, n);
    assert(a >= n - 1 && a <= n + 1); //@ PROVED
    assert(b < n); //@ RESIDUAL
}

/* Unknown code may write to the variable. */
int (*hook)(int) = more;
int replaced(int n) { return n + 7; }

static void asks_the_hook(int n) {
    if (n < 0 || n > 1000) return;
    int before = hook(n);
    assert(before <= n + 1); //@ RESIDUAL
}

int main(void) {
    counts_along(__VERIFIER_nondet_int());
    passes_functions(__VERIFIER_nondet_int());
    unknown();
    asks_the_hook(__VERIFIER_nondet_int());
    return hook == replaced;
}
