// smalti: --function swap
/*@ requires \valid(p) && \valid(q) && \separated(p, q);
    ensures *p == \old(*q);               //@ PROVED
    ensures *q == \old(*p);               //@ PROVED
*/
void swap(unsigned *p, unsigned *q) {
  *p = *p + *q;
  *q = *p - *q;
  *p = *p - *q;
}

int main(void) {
  unsigned x = 1, y = 2;
  swap(&x, &y);
  return 0;
}
