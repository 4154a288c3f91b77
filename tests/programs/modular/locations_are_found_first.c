// smalti: --stages domains,induction
// What a contract lists is found where the function begins, before anything is written.
int n, a[400];

/*@ requires 0 <= n < 4;
    assigns n, a[n];
    ensures n == 0;
*/
void pop(void);

/*@ assigns a[300 .. m - 1]; */
void clear(unsigned char m);

int main(void) {
  a[1] = 7; a[2] = 5; n = 1;
  pop();
  /*@ check n == 0 && a[2] == 5; */                       //@ PROVED
  /*@ check a[1] == 7; */                                 //@ RESIDUAL!
  clear(200);
  /*@ check a[2] == 1; */                                 //@ RESIDUAL!
  return 0;
}
