// The cells at the end are those of the start, in the other order.

/*@ requires n >= 0 && \valid(a + (0 .. n - 1)); */
void reverse(int *a, int n) {
    for (int i = 0; i < n / 2; i++) {
        int kept = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = kept;
    }
}
