// Quicksort of a part of an array, in place.
#define N 8
extern int __VERIFIER_nondet_int(void);

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void sort(int *a, int first, int last) {
    if (first >= last) return;
    int pivot = a[last], place = first; // fails: initialised, bounds
    for (int i = first; i < last; i++)
        if (a[i] <= pivot) swap(&a[i], &a[place++]);
    swap(&a[place], &a[last]);
    sort(a, first, place - 1);
    sort(a, place + 1, last);
}

int main(void) {
    int a[N];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > N) return 1;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
#ifdef BROKEN
    sort(a, 0, n);
#else
    sort(a, 0, n - 1);
#endif
    return a[0] < 0;
}
