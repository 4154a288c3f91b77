// smalti: --function twice
// Every element is read before it is written, so the same array may be both.
/*@ requires \valid(p) && \valid(q) && 0 <= *p <= 1000;
    ensures *q == 2 * \old(*p);           //@ PROVED
*/
void twice(const int *p, int *q) {
  *q = *p + *p;
}

int main(void) {
  int x = 3;
  twice(&x, &x);
  return 0;
}
