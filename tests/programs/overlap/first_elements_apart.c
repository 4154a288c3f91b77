// smalti: --function copy
// `\separated(a, b)` is about the first elements only.
/*@ requires \valid(a + (0 .. 2)) && \valid(b + (0 .. 2)) && \separated(a, b);
    ensures b[1] == \old(a[1]);           //@ RESIDUAL!
*/
void copy(const int *a, int *b) {
  for (int i = 0; i < 3; i++) b[i] = a[i];
}

int main(void) { return 0; }
