// smalti: --function middle
/*@ requires \valid(p) && \valid(q) && \valid(r);
    ensures *r == 3;                      //@ PROVED
    ensures *q == 2 || *q == 3;           //@ PROVED
    ensures *p == 1 || *p == 3;           //@ VIOLATED
*/
void middle(int *p, int *q, int *r) {
  *p = 1;
  *q = 2;
  *r = 3;
}

int main(void) { return 0; }
