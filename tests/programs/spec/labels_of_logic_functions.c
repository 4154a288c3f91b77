// smalti: --function set
// A logic function reads memory at the moment of its label.
struct cell { int value; };
/*@ logic integer first{L}(int *a) = a[0];
    logic integer value{L}(struct cell *c) = c->value; */

/*@ requires \valid(a) && \valid(c);
    check ensures first{Old}(a) == first{Here}(a);                //@ RESIDUAL!
    ensures first{Old}(a) + 1 == first{Here}(a);            //@ PROVED
    check ensures value{Old}(c) == value{Here}(c);                //@ RESIDUAL!
    ensures value{Old}(c) - 1 == value{Here}(c);            //@ PROVED
    ensures first{Here}(a) == \old(a[0]) + 1;               //@ PROVED
*/
void set(int *a, struct cell *c) {
  if (*a == 2147483647 || c->value == -2147483647 - 1) for (;;);
  *a += 1;
  c->value -= 1;
}

int main(void) { return 0; }
