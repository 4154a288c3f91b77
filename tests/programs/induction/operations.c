// smalti: --stages induction --checks bounds,overflow,division
// Operations that are defined because of invariants that nobody wrote down.
extern int __VERIFIER_nondet_int(void);

static int halves(int *a, int n, int v) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;    //@ PROVED overflow
        if (a[middle] < v)                      //@ PROVED bounds
            low = middle + 1;                   //@ PROVED overflow
        else
            high = middle;
    }
    return low;
}

static int halves_too_far(int *a, int n, int v) {
    int low = 0, high = n;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < v)                      //@ RESIDUAL bounds
            low = middle + 1;
        else
            high = middle - 1;
    }
    return low;
}

static int length(char *s) {
    int i = 0;
    while (s[i] != 0) i++;                      //@ PROVED bounds
    return i;
}

static void both_ends(int *a, int n) {
    int i = 0, j = n - 1;
    while (i < j) {
        int t = a[i];                           //@ PROVED bounds
        a[i++] = a[j];                          //@ PROVED bounds
        a[j--] = t;                             //@ PROVED bounds
    }
}

static int shares(int n, int d) {
    int sum = 0, left = n;
    while (left > 0 && d != 0) {
        sum += n / d;                           //@ PROVED division
        left--;
    }
    return sum / (d - n);                       //@ RESIDUAL division
}

static unsigned wrapped(int *a, unsigned n) {
    unsigned i = n, r = 0;
    while (i > 0) {
        r += a[i - 1u];                         //@ PROVED bounds
        i += 4294967295u;
    }
    return r;
}

static int of_next(int *a, int n) {
    int i = -1, r = 0;
    while (++i < n && a[i] > 0)                 //@ PROVED bounds
        r |= a[i + 1];                          //@ RESIDUAL bounds
    return r;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[n];
    char s[4] = {1, 2, 3, 0};
    for (int k = 0; k < n; k++) a[k] = __VERIFIER_nondet_int();
    int r = halves(a, n, 5) + halves_too_far(a, n, 5) + length(s) + shares(n, __VERIFIER_nondet_int());
    both_ends(a, n);
    return r + wrapped(a, n) + of_next(a, n);
}
