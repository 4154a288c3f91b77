/*@ requires 1 <= n <= 1000 && 1 <= key;
    requires \valid(t + (0 .. n-1));
    assigns t[0 .. n-1];
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> t[\result] == key;
    ensures \forall integer k; 0 <= k < n && k != \result ==> t[k] == \old(t[k]);
    ensures \forall integer k; 0 <= k < n && k == \result ==> \old(t[k]) == 0 || \old(t[k]) == key;
    ensures \result == -1 ==> (\forall integer k; 0 <= k < n ==> t[k] != 0 && t[k] != key); */
int probe_insert(int *t, int n, int key) {
    int h = key % n;
    /*@ loop invariant 0 <= i <= n && 0 <= h < n;
        loop invariant \forall integer k; h <= k < h + i && k < n ==> t[k] != 0 && t[k] != key;
        loop invariant \forall integer k; 0 <= k < h + i - n ==> t[k] != 0 && t[k] != key;
        loop invariant \forall integer k; 0 <= k < n ==> t[k] == \at(t[k], Pre); */
    for (int i = 0; i < n; i++) {
        int s = (h + i) % n;
        if (t[s] == 0 || t[s] == key) {
            t[s] = key;
            return s;
        }
    }
    return -1;
}
