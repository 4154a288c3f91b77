/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 3 <= k < n ==> a[(k-1)/2] >= a[k];
    assigns a[0 .. n-1];
    ensures \forall integer k; 1 <= k < n ==> a[(k-1)/2] >= a[k]; */
void sift_down(int *a, int n) {
    int i = 0;
    int c = 1;
    /*@ loop invariant 0 <= i < n && c == 2 * i + 1;
        loop invariant \forall integer k; 1 <= k < n && (k-1)/2 != i ==> a[(k-1)/2] >= a[k];
        loop invariant \forall integer k; 1 <= k < n && (k-1)/2 == i && 0 < i ==>
          a[(i-1)/2] >= a[k];
        loop assigns i, c, a[0 .. n-1]; */
    while (c < n) {
        if (c + 1 < n && a[c + 1] > a[c])
            c++;
        if (a[i] >= a[c])
            break;
        int t = a[i];
        a[i] = a[c];
        a[c] = t;
        i = c;
        c = 2 * i + 1;
    }
}
