// smalti: --function set
// Nobody else knows its address.
static int g;

/*@ requires \valid(p);
    ensures g == 0 && *p == 1;            //@ PROVED
*/
void set(int *p) {
  g = 0;
  *p = 1;
}

int main(void) {
  int x;
  set(&x);
  return 0;
}
