// smalti: --stages domains --stack values --checks initialised
/* An array is written up to an index, and read up to another one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
#define MOST 5000

struct point {
    int x, y;
};

static int up_to_the_same_number(int n) {
    int a[MOST], sum = 0;
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < n; i++) sum ^= a[i]; //@ PROVED initialised
    return sum;
}

static int one_more(int n) {
    int a[MOST + 1], sum = 0;
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i <= n; i++) sum ^= a[i]; //@ RESIDUAL! initialised
    return sum;
}

static int up_to_a_smaller_number(int n, int m) {
    int a[MOST], sum = 0, i = 0;
    while (i != n) {
        a[i] = i;
        i++;
    }
    if (m < n)
        for (int k = m; k > 0; k--) sum ^= a[k]; //@ PROVED initialised
    return sum;
}

static int up_to_a_greater_number(int n, int m) {
    int a[MOST], sum = 0;
    for (int i = 0; i < n; i++) a[i] = i;
    if (m > n && m < MOST)
        for (int k = 0; k < m; k++) sum ^= a[k]; //@ RESIDUAL! initialised
    return sum;
}

static int both_members(int n) {
    struct point p[MOST];
    int sum = 0;
    for (int i = 0; i < n; i++) {
        p[i].x = i;
        p[i].y = -i;
    }
    for (int i = 0; i < n; i++) sum ^= p[i].x ^ p[i].y; //@ PROVED initialised
    return sum;
}

static int one_member(int n) {
    struct point p[MOST];
    int sum = 0;
    for (int i = 0; i < n; i++) p[i].x = i;
    for (int i = 0; i < n; i++) sum ^= p[i].y; //@ RESIDUAL! initialised
    return sum;
}

static int every_other(int n) {
    int a[MOST], sum = 0;
    for (int i = 0; i < n; i += 2) a[i] = i;
    for (int i = 0; i < n; i++) sum ^= a[i]; //@ RESIDUAL! initialised
    return sum;
}

static int not_the_first(int n) {
    int a[MOST], sum = 0;
    for (int i = 1; i < n; i++) a[i] = i;
    for (int i = 0; i < n; i++) sum ^= a[i]; //@ RESIDUAL! initialised
    return sum;
}

static int in_a_block(int n) {
    long *block = malloc(n * sizeof *block), sum = 0;
    for (int i = 0; i < n; i++) block[i] = i;
    for (int i = 0; i < n; i++) sum ^= block[i]; //@ PROVED initialised
    free(block);
    return sum > 3;
}

static int with_a_gap(int n) {
    int a[MOST], sum = 0, k = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1) k++;
        if (k < MOST) a[k++] = i;
        if (k >= MOST) break;
    }
    for (int i = 0; i < k && i < MOST; i++) sum ^= a[i]; //@ RESIDUAL! initialised
    return sum;
}

static int as_far_as_counted(int n) {
    int a[MOST], sum = 0, k = 0;
    for (int i = 0; i < n; i++)
        if (__VERIFIER_nondet_int() > 0) a[k++] = i;
    for (int i = 0; i < k; i++) sum ^= a[i]; //@ PROVED initialised
    return sum;
}

/* What is said of a null pointer says nothing of the array. */
static int through_a_pointer(int n, int is_there) {
    int a[MOST], *p = is_there ? a : NULL, sum = 0;
    if (p)
        for (int i = 0; i < n; i++) p[i] = i;
    if (p) sum = p[0]; //@ PROVED initialised
    return sum ^ a[0]; //@ RESIDUAL! initialised
}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), sum = 0;
    if (n < 1 || n > MOST || m < 1) return 1;
    sum += up_to_the_same_number(n) + up_to_a_smaller_number(n, m) + both_members(n) + in_a_block(n);
    sum += as_far_as_counted(n);
    switch (__VERIFIER_nondet_int()) {
    case 1: return one_more(n);
    case 2: return up_to_a_greater_number(n, m);
    case 3: return one_member(n);
    case 4: return every_other(n);
    case 5: return not_the_first(n);
    case 6: return with_a_gap(n);
    case 7: return through_a_pointer(n, m > 2);
    }
    return sum > 0;
}
