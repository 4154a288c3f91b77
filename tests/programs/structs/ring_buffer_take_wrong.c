// smalti: --function take --stages domains,summary,induction --checks assertion,bounds
// Wrong: the first cell is not given up, so the invariant breaks when the buffer was empty.
struct ring { int *cells; unsigned room, first, used; };

/*@ predicate ring(struct ring *r) = \valid(r) && \valid(r->cells + (0 .. r->room - 1)) &&
      \separated(r, r->cells + (0 .. r->room - 1)) && 0 < r->room <= 1000 && r->first < r->room &&
      r->used <= r->room; */

/*@ requires ring(r);
    check ensures ring(r);                                                  //@ RESIDUAL!
    check ensures \result == \old(r->cells[r->first]);                      //@ PROVED
    check ensures r->cells[r->first] == \old(r->cells[r->first]);           //@ RESIDUAL!
*/
int take(struct ring *r) {
  int value = r->cells[r->first];                                           //@ PROVED bounds
  r->first = r->first + 1 == r->room ? 0 : r->first + 1;
  r->used--;
  return value;
}

int main(void) { return 0; }
