// smalti: --function append --checks assertion,bounds
// Nothing excludes that the number is a cell of the list already.
struct list { int *cells; unsigned length, room; };

/*@ predicate list(struct list *l) = \valid(l) && \valid(l->cells + (0 .. l->room - 1)) &&
      \separated(l, l->cells + (0 .. l->room - 1)) && l->length <= l->room <= 100000; */

/*@ requires list(l) && \valid(from) && l->length < l->room && \separated(l, from);
    ensures l->length == \old(l->length) + 1;                               //@ PROVED
    ensures l->cells[\old(l->length)] == \old(*from) + 1;                   //@ PROVED
    check ensures *from == \old(*from);                                           //@ RESIDUAL!
*/
void append(struct list *l, const int *from) {
  if (*from == 2147483647) for (;;);
  l->cells[l->length] = *from + 1;                                          //@ PROVED bounds
  l->length++;
}

int main(void) { return 0; }
