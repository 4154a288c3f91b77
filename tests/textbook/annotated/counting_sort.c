/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 9;
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1];
    ensures \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 9; */
void counting_sort(int *a, int n) {
    int count[10] = {0};
    int k = 0;
    /*@ loop invariant 0 <= i <= n;
        loop invariant \forall integer v; 0 <= v < 10 ==> 0 <= count[v] <= i;
        loop invariant count[0] + count[1] + count[2] + count[3] + count[4] + count[5] +
          count[6] + count[7] + count[8] + count[9] == i;
        loop invariant \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 9; */
    for (int i = 0; i < n; i++)
        count[a[i]]++;
    /*@ loop invariant 0 <= v <= 10;
        loop invariant \forall integer p, q; 0 <= p <= q < k ==> a[p] <= a[q];
        loop invariant \forall integer p; 0 <= p < k ==> 0 <= a[p] < v;
        loop invariant \forall integer v; 0 <= v < 10 ==> 0 <= count[v];
        loop invariant k == (v > 0 ? count[0] : 0) + (v > 1 ? count[1] : 0) +
          (v > 2 ? count[2] : 0) + (v > 3 ? count[3] : 0) + (v > 4 ? count[4] : 0) +
          (v > 5 ? count[5] : 0) + (v > 6 ? count[6] : 0) + (v > 7 ? count[7] : 0) +
          (v > 8 ? count[8] : 0) + (v > 9 ? count[9] : 0);
        loop invariant count[0] + count[1] + count[2] + count[3] + count[4] + count[5] +
          count[6] + count[7] + count[8] + count[9] == n; */
    for (int v = 0; v < 10; v++) {
        /*@ loop invariant 0 <= c <= count[v] && 0 <= k && 0 <= v < 10;
            loop invariant k + c == (v >= 0 ? count[0] : 0) + (v > 0 ? count[1] : 0) +
              (v > 1 ? count[2] : 0) + (v > 2 ? count[3] : 0) + (v > 3 ? count[4] : 0) +
              (v > 4 ? count[5] : 0) + (v > 5 ? count[6] : 0) + (v > 6 ? count[7] : 0) +
              (v > 7 ? count[8] : 0) + (v > 8 ? count[9] : 0);
            loop invariant \forall integer p, q; 0 <= p <= q < k ==> a[p] <= a[q];
            loop invariant \forall integer p; 0 <= p < k ==> 0 <= a[p] <= v; */
        for (int c = count[v]; c > 0; c--) {
            a[k] = v;
            k++;
        }
    }
}
