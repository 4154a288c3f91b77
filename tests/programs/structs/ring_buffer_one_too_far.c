// smalti: --function put --checks assertion,bounds
// Wrong: the index is not brought back to the beginning when it is equal to the length.
struct ring { int *cells; unsigned room, first, used; };

/*@ predicate ring(struct ring *r) = \valid(r) && \valid(r->cells + (0 .. r->room - 1)) &&
      \separated(r, r->cells + (0 .. r->room - 1)) && 0 < r->room <= 1000 && r->first < r->room &&
      r->used <= r->room; */

/*@ requires ring(r) && r->used < r->room;
    ensures r->used == \old(r->used) + 1;                                   //@ PROVED
*/
void put(struct ring *r, int value) {
  unsigned at = r->first + r->used;
  if (at > r->room) at -= r->room;
  int *cells = r->cells;
  cells[at] = value;                                                        //@ RESIDUAL! bounds
  r->used++;
}

int main(void) { return 0; }
