// smalti: --function set
/*@ requires \valid(p) && \valid(q);
    ensures *p == 1;                      //@ VIOLATED
    ensures *q == 2;                      //@ PROVED
    ensures *p == 1 || *p == 2;           //@ PROVED
*/
void set(int *p, int *q) {
  *p = 1;
  *q = 2;
}

int main(void) { return 0; }
