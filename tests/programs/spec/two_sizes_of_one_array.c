// smalti: --stages domains --function last --checks assertion,bounds
// smalti: --stages unwind --function last --checks assertion,bounds
/* An array is as large as the largest of the sizes that its contract names. */
/*@ requires 4 <= n <= 9 && \valid(a + (0 .. 3)) && \valid(a + (0 .. n - 1)); */
int last(int *a, int n) {
    int x = a[n - 1];                  //@ PROVED bounds
    int y = a[3];                      //@ PROVED bounds
    return x - y;
}
int main(void) { return 0; }
