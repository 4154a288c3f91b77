/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
void odd_even_sort(int *a, int n) {
    int sorted = 0;
    /*@ loop invariant sorted == 0 || sorted == 1;
        loop invariant sorted == 1 ==> \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
    while (!sorted) {
        sorted = 1;
        /*@ loop invariant 1 <= i && (sorted == 0 || sorted == 1) && i % 2 == 1;
            loop invariant sorted == 1 ==> \forall integer k; 0 <= k < i - 1 && k % 2 == 1 ==>
              a[k] <= a[k+1]; */
        for (int i = 1; i + 1 < n; i += 2) {
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                sorted = 0;
            }
        }
        /*@ loop invariant 0 <= j && (sorted == 0 || sorted == 1) && j % 2 == 0;
            loop invariant sorted == 1 ==> \forall integer k; 0 <= k < n - 1 && k % 2 == 1 ==>
              a[k] <= a[k+1];
            loop invariant sorted == 1 ==> \forall integer k; 0 <= k < j && k < n - 1 &&
              k % 2 == 0 ==> a[k] <= a[k+1]; */
        for (int j = 0; j + 1 < n; j += 2) {
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
                sorted = 0;
            }
        }
    }
}
