/*@ requires 0 <= n <= 1000 && 0 <= m <= 1000;
    requires \valid(a + (0 .. n+m-1)) && \valid_read(b + (0 .. m-1));
    requires \separated(a + (0 .. n+m-1), b + (0 .. m-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    requires \forall integer i, j; 0 <= i <= j < m ==> b[i] <= b[j];
    assigns a[0 .. n+m-1];
    ensures \forall integer k; 0 <= k < n + m - 1 ==> a[k] <= a[k+1]; */
void merge_back(int *a, int n, const int *b, int m) {
    int i = n;
    int j = m;
    int k = n + m;
    /*@ loop invariant 0 <= i <= n && 0 <= j <= m && k == i + j;
        loop invariant \forall integer p, q; 0 <= p <= q < i ==> a[p] <= a[q];
        loop invariant \forall integer p, q; k <= p <= q < n + m ==> a[p] <= a[q];
        loop invariant \forall integer p, q; 0 <= p < i && k <= q < n + m ==> a[p] <= a[q];
        loop invariant 0 < j ==> \forall integer q; k <= q < n + m ==> b[j - 1] <= a[q]; */
    while (j > 0) {
        k--;
        if (i > 0 && a[i - 1] > b[j - 1]) {
            i--;
            a[k] = a[i];
        } else {
            j--;
            a[k] = b[j];
        }
    }
}
