// The number of an iteration is half of what a counter is.

/*@ requires 0 <= n <= 1000; */
int halves(int n) {
    int s = 0, t = 0;
    for (int i = 0; i < 2 * n; i += 2) {
        s += 3;
        t += i;
    }
    return s + t;
}
