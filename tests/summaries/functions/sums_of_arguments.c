// A global counts the cells that are added, and the parameter counts down.

int added;

/*@ requires n >= 0 && \valid_read(a + (0 .. n - 1)); */
int sum(const int *a, int n) {
    int s = 0;
    while (n > 0) {
        n--;
        s += a[n];
        added++;
    }
    return s;
}
