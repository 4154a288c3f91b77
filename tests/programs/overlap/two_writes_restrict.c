// smalti: --function set
/*@ requires \valid(p) && \valid(q);
    ensures *p == 1 && *q == 2;           //@ PROVED
*/
void set(int *restrict p, int *q) {
  *p = 1;
  *q = 2;
}

int main(void) {
  int x, y;
  set(&x, &y);
  return 0;
}
