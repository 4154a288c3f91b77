// smalti: --function same --stages domains,summary,induction --checks assertion,bounds
// Two lists, which may be one list, or share their cells.
struct list { int *cells; int length; };

/*@ predicate list(struct list *l) = \valid(l) && \valid(l->cells + (0 .. l->length - 1)) &&
      \separated(l, l->cells + (0 .. l->length - 1)) && 0 < l->length; */

/*@ requires list(a) && list(b);
    ensures \result == 1 ==> \forall integer k; 0 <= k < b->length ==>  //@ PROVED
        a->cells[k] == b->cells[k];
    ensures \result == 0 ==> a->length != b->length ||  //@ PROVED
        \exists integer k; 0 <= k < a->length && a->cells[k] != b->cells[k];
    assigns \nothing;                                                       //@ PROVED
*/
int same(const struct list *a, const struct list *b) {
  if (a->length != b->length) return 0;
  /*@ loop invariant 0 <= i <= a->length;
      loop invariant \forall integer k; 0 <= k < i ==> a->cells[k] == b->cells[k];
  */
  for (int i = 0; i < a->length; i++) {
    if (a->cells[i] != b->cells[i]) return 0;
  }
  return 1;
}

int main(void) { return 0; }
