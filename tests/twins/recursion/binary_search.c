// Binary search by recursion on the half that may contain the key.
#define N 20
extern int __VERIFIER_nondet_int(void);

static int find(const int *a, int low, int high, int key) {
    if (low > high) return -1;
    int middle = low + (high - low) / 2;
    if (a[middle] == key) return middle; // fails: bounds
    if (a[middle] < key) return find(a, middle + 1, high, key);
    return find(a, low, middle - 1, key);
}

int main(void) {
    int squares[N];
    for (int i = 0; i < N; i++) squares[i] = i * i;
#ifdef BROKEN
    int place = find(squares, 0, N, __VERIFIER_nondet_int());
#else
    int place = find(squares, 0, N - 1, __VERIFIER_nondet_int());
#endif
    return place < 0;
}
