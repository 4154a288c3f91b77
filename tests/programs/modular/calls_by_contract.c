// smalti: --stages domains,induction
// A function without a body is known by its contract: what it needs, writes and ensures.
typedef unsigned int size;

/*@ requires \valid(p) && \valid(q);
    assigns *p, *q;
    ensures *p == \old(*q) && *q == \old(*p);
*/
void exchange(int *p, int *q);

/*@ requires 0 < n;                                       //@ RESIDUAL!
    requires \valid(a + (0 .. n - 1));
    assigns a[0 .. n - 1];
    ensures \forall integer k; 0 <= k < n ==> a[k] == v;
*/
void fill(int *a, size n, int v);

/*@ assigns \nothing;
    behavior left: assumes x >= y; ensures \result == x;
    behavior right: assumes x < y; ensures \result == y;
*/
int greater(int x, int y);

/*@ requires 0 <= x < 10;
    assigns \nothing;
    ensures \result == x + 1000;
*/
int later(int x);

extern int __VERIFIER_nondet_int(void);
int a[10], g;

int main(void) {
  a[0] = 1; a[1] = 2; a[9] = 4; g = 7;
  exchange(&a[0], &a[1]);
  /*@ assert a[0] == 2 && a[1] == 1; */                  //@ PROVED
  /*@ check a[9] == 4 && g == 7; */                       //@ PROVED
  fill(a, 5, 3);
  /*@ check \forall integer k; 0 <= k < 5 ==> a[k] == 3; */ //@ PROVED
  /*@ check a[9] == 4; */                                 //@ PROVED
  /*@ check a[4] == 4; */                                 //@ RESIDUAL!
  int m = greater(g, 3);
  /*@ check m == 7; */                                    //@ PROVED
  /*@ check m == 3; */                                    //@ RESIDUAL!
  int where = __VERIFIER_nondet_int();
  a[where] = 1;
  // Some run comes here, although not every value of `where` is an index.
  int far = later(where);
  /*@ check far == where + 1000; */                       //@ PROVED
  fill(a, 0, 3);
  return 0;
}
