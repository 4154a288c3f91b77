// smalti: --function grow --checks assertion,bounds
// Two pointers to one struct: what is written through one is read through the other.
struct list { int *cells; int length; };

/*@ predicate list(struct list *l) = \valid(l) && \valid(l->cells + (0 .. l->length - 1)) &&
      \separated(l, l->cells + (0 .. l->length - 1)) && 0 < l->length < 1000; */

/*@ requires list(a) && list(b);
    ensures a->length == 1;                                                 //@ VIOLATED
    ensures b->length == 2;                                                 //@ PROVED
    ensures a == b ==> a->length == 2;                                      //@ PROVED
*/
void grow(struct list *a, struct list *b) {
  a->length = 1;
  b->length = 2;
}

int main(void) { return 0; }
