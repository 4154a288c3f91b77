/*@ requires 1 <= n <= 1000 && 1 <= key;
    requires \valid_read(t + (0 .. n-1));
    assigns \nothing;
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> t[\result] == key;
    ensures t[key % n] == key ==> \result == key % n;
    ensures \result == -1 ==> (\exists integer e; 0 <= e < n && t[e] == 0) ||
      (\forall integer k; 0 <= k < n ==> t[k] != key); */
int probe_lookup(const int *t, int n, int key) {
    int s = key % n;
    /*@ loop invariant 0 <= i <= n && 0 <= s < n;
        loop invariant key % n + i < n ==> s == key % n + i;
        loop invariant key % n + i >= n ==> s == key % n + i - n;
        loop invariant key % n + i < n ==> \forall integer k; key % n <= k < s ==> t[k] != key;
        loop invariant key % n + i >= n ==> \forall integer k; key % n <= k < n ==> t[k] != key;
        loop invariant key % n + i >= n ==> \forall integer k; 0 <= k < s ==> t[k] != key; */
    for (int i = 0; i < n; i++) {
        if (t[s] == key)
            return s;
        if (t[s] == 0)
            return -1;
        s++;
        if (s == n)
            s = 0;
    }
    return -1;
}
