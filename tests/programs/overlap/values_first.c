// smalti: --function both
/*@ requires \valid(a) && \valid(s) && \valid(p) && 0 <= *a <= 100;
    ensures *p == \old(*a) - 1;           //@ PROVED
    ensures *s == \old(*a) + 1 || *s == \old(*a) - 1;   //@ PROVED
*/
void both(const int *a, int *s, int *p) {
  int v = *a;
  *s = v + 1;
  *p = v - 1;
}

int main(void) {
  int x = 7;
  both(&x, &x, &x);
  return 0;
}
