// smalti: --stages domains,summary,induction --function balance
// What is added in each iteration is between known numbers: the sum is between multiples of them.
/*@ requires 0 <= n <= 1000;
    requires \valid(gain + (0 .. n - 1)) && \valid(loss + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n ==> 1 <= gain[k] <= 20 && 2 <= loss[k] < 10;
    ensures n <= \result <= 20 * n;                         //@ PROVED
    ensures \result > n;                                    //@ RESIDUAL!
    ensures \result <= 19 * n;                              //@ RESIDUAL!
*/
int balance(const int *gain, const int *loss, int n) {
  int sum = 0, down = 0;
  for (int i = 0; i < n; i++) {
    sum += gain[i];
    down = down - loss[i];
  }
  /*@ assert -9 * n <= down <= -2 * n; */                      //@ PROVED
  /*@ assert down <= -3 * n; */                                //@ RESIDUAL!
  return sum;
}

int main(void) {
  int gain[3] = {1, 20, 2}, loss[3] = {2, 9, 3};
  return balance(gain, loss, 3);
}
