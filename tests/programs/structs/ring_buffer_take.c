// smalti: --function take --stages domains,summary,induction --checks assertion,bounds
// A ring buffer behind a pointer: its cells lie in an array that is as long as the buffer says.
struct ring { int *cells; unsigned room, first, used; };

/*@ predicate ring(struct ring *r) = \valid(r) && \valid(r->cells + (0 .. r->room - 1)) &&
      \separated(r, r->cells + (0 .. r->room - 1)) && 0 < r->room <= 1000 && r->first < r->room &&
      r->used <= r->room; */

/*@ requires ring(r) && r->used > 0;
    ensures ring(r);                                                        //@ PROVED
    ensures \result == \old(r->cells[r->first]);                            //@ PROVED
    ensures \forall integer k; 0 <= k < r->room ==>  //@ PROVED
        r->cells[k] == \at(r->cells[k], Pre);
*/
int take(struct ring *r) {
  int value = r->cells[r->first];                                           //@ PROVED bounds
  r->first = r->first + 1 == r->room ? 0 : r->first + 1;
  r->used--;
  return value;
}

int main(void) { return 0; }
