// smalti: --function swap
// Wrong for two pointers to the same object, which is 0 then.
/*@ requires \valid(p) && \valid(q);
    ensures *p == \old(*q);               //@ VIOLATED
*/
void swap(unsigned *p, unsigned *q) {
  *p = *p ^ *q;
  *q = *p ^ *q;
  *p = *p ^ *q;
}

int main(void) { return 0; }
