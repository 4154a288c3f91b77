/*@ requires 2 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures 0 <= \result < n - 1;
    ensures \forall integer k, m; 0 <= k <= \result && \result < m < n ==> a[k] <= a[m]; */
int hoare(int *a, int n) {
    int pivot = a[0];
    int i = -1;
    int j = n;
    /*@ loop invariant -1 <= i < j <= n;
        loop invariant i == -1 ==> j == n && a[0] == pivot;
        loop invariant 0 <= i ==> j < n && i <= n - 2;
        loop invariant \forall integer k; 0 <= k <= i ==> a[k] <= pivot;
        loop invariant \forall integer k; j <= k < n ==> pivot <= a[k]; */
    for (;;) {
        /*@ loop invariant i + 1 < n && -1 <= i && i < j;
            loop invariant \forall integer k; 0 <= k <= i ==> a[k] <= pivot;
            loop invariant j == n ==> i == -1 && a[0] == pivot;
            loop invariant j < n ==> i + 1 <= j; */
        do {
            i++;
        } while (a[i] < pivot);
        /*@ loop invariant 0 < j <= n && 0 <= i;
            loop invariant i <= j;
            loop invariant \forall integer k; j <= k < n ==> pivot <= a[k];
            loop invariant pivot <= a[i]; 
            loop invariant j == n ==> i == 0 && a[0] == pivot; */
        do {
            j--;
        } while (a[j] > pivot);
        if (i >= j)
            return j;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}
