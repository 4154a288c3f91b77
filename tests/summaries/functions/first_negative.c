// What a search finds, and one result for each way to the end.

/*@ requires 0 <= n && \valid_read(a + (0 .. n - 1)); */
int first_negative(const int *a, int n) {
    int i = 0;
    while (i < n && a[i] >= 0) {
        i++;
    }
    if (i == n) {
        return -1;
    }
    return i;
}
