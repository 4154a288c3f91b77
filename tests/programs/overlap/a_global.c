// smalti: --function set
// The caller may know the address of the global.
int g;

/*@ requires \valid(p);
    ensures g == 0;                       //@ VIOLATED
    ensures *p == 1;                      //@ PROVED
*/
void set(int *p) {
  g = 0;
  *p = 1;
}

int main(void) { return 0; }
