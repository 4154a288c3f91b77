// smalti: --stages domains,induction --function insertion
// A gap moves through sorted cells.
/*@ requires n >= 0;
    requires \valid(a + (0..n-1));
    ensures \forall integer k; 0 <= k < n-1 ==> a[k] <= a[k+1];                          //@ PROVED
*/
void insertion(int *a, int n) {
  int i, j;
  /*@ loop invariant 1 <= i && (n >= 1 ==> i <= n);                                      //@ PROVED
      loop invariant \forall integer k; 0 <= k < i-1 ==> a[k] <= a[k+1]; */              //@ PROVED
  for (i = 1; i < n; i++) {
    int v = a[i];
    /*@ loop invariant -1 <= j < i;                                                      //@ PROVED
        loop invariant \forall integer k; 0 <= k < j ==> a[k] <= a[k+1];                 //@ PROVED
        loop invariant \forall integer k; j+1 <= k < i ==> a[k] <= a[k+1];               //@ PROVED
        loop invariant \forall integer k; j+2 <= k <= i ==> a[k] > v;                    //@ PROVED
        loop invariant j < i-1 && j >= 0 ==> a[j] <= a[j+1]; */                          //@ PROVED
    for (j = i - 1; j >= 0 && a[j] > v; j--) a[j+1] = a[j];
    a[j+1] = v;
  }
}

int main(void) { int t[3] = {1, 2, 3}; insertion(t, 3); return t[0]; }
