// smalti: --function put
// The index is checked, and then changed through the other pointer.
/*@ requires \valid(i) && \valid(n); */
void put(int *i, int *n) {
  int a[4];
  if (0 <= *i && *i < 4) {
    *n = 9;
    int k = *i;
    a[k] = 0;                             //@ VIOLATED bounds
  }
}

int main(void) { return 0; }
