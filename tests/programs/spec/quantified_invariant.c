// smalti: --stages domains --stack partition/octagon
/* Invariants of the user are checked and used. */
#define SIZE 24
int a[SIZE];
/*@ predicate filled(int *b, integer from, integer to, integer v) =
  @   \forall integer k; from <= k < to ==> b[k] == v;
  @*/
int main(void) {
    int i;
    /*@ loop invariant 0 <= i <= SIZE;                         */   //@ PROVED
    /*@ loop invariant filled(a, 0, i, 7);                     */   //@ PROVED
    /*@ loop assigns i, a[0 .. SIZE - 1]; loop variant SIZE - i; */
    for (i = 0; i < SIZE; i++) a[i] = 7;
    /*@ assert filled(a, 0, SIZE, 7); */                            //@ PROVED
    /*@ check \forall integer k; 0 <= k < SIZE && k > 3 ==> 6 < a[k] < 8; */   //@ PROVED
    int n = __VERIFIER_nondet_int();
    if (n > 0) { /*@ check \forall integer k; 0 <= k <= SIZE ==> a[k] == 7; */ }   //@ RESIDUAL!
    /*@ assert \forall integer i, j; 0 <= i < j < SIZE ==> a[i] == a[j]; */   //@ PROVED
    return 0;
}
