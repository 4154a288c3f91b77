// smalti: --function add
/*@ requires \valid(p) && \valid(q) && *p <= 1000 && *q <= 1000;
    ensures *p >= \old(*p);               //@ PROVED
    ensures *p == \old(*p) + 2 * \old(*q); //@ VIOLATED
*/
void add(unsigned *p, const unsigned *q) {
  *p += *q;
  *p += *q;
}

int main(void) { return 0; }
