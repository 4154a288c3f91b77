// smalti: --function swap
// Two pointers to the same object.
/*@ requires \valid(p) && \valid(q);
    assigns *p, *q;                       //@ PROVED
    ensures *p == \old(*q);               //@ PROVED
    ensures *q == \old(*p);               //@ PROVED
*/
void swap(int *p, int *q) {
  int t = *p;
  *p = *q;
  *q = t;
}

int main(void) {
  int x = 1, y = 2;
  swap(&x, &y);
  swap(&x, &x);
  return 0;
}
