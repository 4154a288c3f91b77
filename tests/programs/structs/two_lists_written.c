// smalti: --function write --stages domains,summary,induction --checks assertion,bounds
// Two lists, which may be one list, or share their cells.
struct list { int *cells; int length; };

/*@ predicate list(struct list *l) = \valid(l) && \valid(l->cells + (0 .. l->length - 1)) &&
      \separated(l, l->cells + (0 .. l->length - 1)) && 0 < l->length; */

/*@ requires list(a) && list(b);
    requires \separated(a, b->cells + (0 .. b->length - 1)) &&
        \separated(b, a->cells + (0 .. a->length - 1));
    ensures a->cells[0] == 1 || a->cells[0] == 2;                           //@ PROVED
    ensures b->cells[0] == 2;                                               //@ PROVED
    check ensures a->cells[0] == 1;                                               //@ RESIDUAL!
*/
void write(struct list *a, struct list *b) {
  a->cells[0] = 1;
  b->cells[0] = 2;
}

int main(void) { return 0; }
