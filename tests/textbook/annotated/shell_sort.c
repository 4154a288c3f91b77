/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
void shell_sort(int *a, int n) {
    /*@ loop invariant 0 <= gap <= n;
        loop invariant gap == 0 && 2 <= n ==> \forall integer k; 0 <= k < n - 1 ==>
          a[k] <= a[k+1]; */
    for (int gap = n / 2; gap > 0; gap /= 2) {
        /*@ loop invariant gap <= i <= n || n < gap;
            loop invariant \forall integer k; gap <= k < i ==> a[k - gap] <= a[k]; */
        for (int i = gap; i < n; i++) {
            int v = a[i];
            int j = i;
            /*@ loop invariant 0 <= j <= i && gap <= i < n;
                loop invariant \forall integer k; gap <= k < j ==> a[k - gap] <= a[k];
                loop invariant \forall integer k; j <= k <= i && gap <= k && k != j &&
                  k - gap != j ==> a[k - gap] <= a[k];
                loop invariant \forall integer k; j < k <= i && k - gap == j ==> v < a[k];
                loop invariant j < i && gap <= j ==> \forall integer k; j < k <= i &&
                  k - gap == j ==> a[j - gap] <= a[k];
                loop invariant j < i ==> v < a[j]; */
            while (j >= gap && a[j - gap] > v) {
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = v;
        }
    }
}
