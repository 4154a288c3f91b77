// smalti: --stages summary --checks assertion
// Near misses: values, structs and arrays that change places.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

struct pair {
    int left, right;
};

struct arrays {
    int *from, *to;
};

static void step(struct arrays *now, int n) {
    int *old = now->from;
    for (int i = 0; i < n; i++) now->to[i] = now->from[i] + 1;
    now->from = now->to;
    now->to = old;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100) return 0;
    int x = 1, y = 2;
    for (int i = 0; i < n; i++) x = 3 - x;
    for (int i = 0; i < n; i++) y = 3 - y;
    __VERIFIER_assert(x == (n % 2 ? 2 : 1));      //@ PROVED
    //@ RESIDUAL! x == (n % 2 ? 1 : 2)  the other parity
    __VERIFIER_assert(x + y == 3);      //@ PROVED
    //@ RESIDUAL! x < y  they change places
    int p = 1, q = 2;
    // No exchange: the first value is lost.
    for (int i = 0; i < n; i++) {
        p = q;
        q = p;
    }
    __VERIFIER_assert(p == 2 && q == 2);      //@ PROVED
    //@ RESIDUAL! p + q == 3  it is lost
    struct pair cells[100], other[100];
    for (int i = 0; i < n; i++) {
        cells[i].left = other[i].right = i;
        cells[i].right = other[i].left = -i;
    }
    for (int i = 0; i < n; i++) {
        struct pair one = cells[i];
        cells[i] = other[i];
        other[i] = one;
    }
    __VERIFIER_assert(cells[n - 1].left == 1 - n);      //@ PROVED
    //@ RESIDUAL! cells[n - 1].left == n - 1  they have changed places
    //@ RESIDUAL! other[1].left == cells[1].left  the sign
    int a[100], b[100];
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 0;
    }
    struct arrays now = {a, b};
    step(&now, n);
    step(&now, n);
    step(&now, n);
    __VERIFIER_assert(b[1] == 4 && a[1] == 3);      //@ PROVED
    //@ RESIDUAL! a[1] == 4  two rounds only
    __VERIFIER_assert(now.from == b);      //@ PROVED
    //@ RESIDUAL! now.to[1] == now.from[1]  one round more
    return 0;
}
