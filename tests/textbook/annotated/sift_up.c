/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 1 <= k < n - 1 ==> a[(k-1)/2] >= a[k];
    assigns a[0 .. n-1];
    ensures \forall integer k; 1 <= k < n ==> a[(k-1)/2] >= a[k]; */
void sift_up(int *a, int n) {
    int i = n - 1;
    /*@ loop invariant 0 <= i < n;
        loop invariant \forall integer k; 1 <= k < n && k != i ==> a[(k-1)/2] >= a[k];
        loop invariant \forall integer k; 1 <= k < n && (k-1)/2 == i && 0 < i ==>
          a[(i-1)/2] >= a[k];
        loop assigns i, a[0 .. n-1]; */
    while (i > 0) {
        int p = (i - 1) / 2;
        if (a[p] >= a[i])
            break;
        int t = a[p];
        a[p] = a[i];
        a[i] = t;
        i = p;
    }
}
