// smalti: --stages domains,induction --function settle
// A flag says whether something was met; without it, more is known of the elements.
/*@ requires 0 <= n <= 1000 && \valid(a + (0 .. n - 1)); */
int settle(int *a, int n) {
  int negative = 0, turned = 0;
  for (int i = 0; i < n; i++)
    if (a[i] < 0) negative = 1;
  if (!negative) {
    /*@ assert \forall integer k; 0 <= k < n ==> a[k] >= 0; */               //@ PROVED
    /*@ assert \forall integer k; 0 <= k < n ==> a[k] > 0; */                //@ RESIDUAL!
  }
  for (int i = 1; i < n; i++)
    if (a[i - 1] > a[i]) {
      a[i] = a[i - 1];
      turned = 1;
    }
  /*@ assert turned == 0 || turned == 1; */                                  //@ PROVED
  return turned;
}

int main(void) {
  int t[3] = {1, 5, 2};
  return settle(t, 3);
}
