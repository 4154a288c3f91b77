// smalti: --function both
/*@ requires \valid(a) && \valid(s) && \valid(p) && 0 <= *a <= 100;
    ensures *p == \old(*a) * \old(*a);    //@ RESIDUAL!
*/
void both(const int *a, int *s, int *p) {
  *s = *a + *a;
  *p = *a * *a;
}

int main(void) { return 0; }
