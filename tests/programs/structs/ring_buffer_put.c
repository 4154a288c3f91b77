// smalti: --function put --stages domains,summary,induction --checks assertion,bounds
// A ring buffer behind a pointer: its cells lie in an array that is as long as the buffer says.
struct ring { int *cells; unsigned room, first, used; };

/*@ predicate ring(struct ring *r) = \valid(r) && \valid(r->cells + (0 .. r->room - 1)) &&
      \separated(r, r->cells + (0 .. r->room - 1)) && 0 < r->room <= 1000 && r->first < r->room &&
      r->used <= r->room; */

/*@ requires ring(r) && r->used < r->room;
    ensures ring(r);                                                        //@ PROVED
    ensures r->used == \old(r->used) + 1;                                   //@ PROVED
    ensures r->cells == \old(r->cells);                                     //@ PROVED
    ensures r->cells[(r->first + \old(r->used)) % r->room] == value;        //@ PROVED
*/
void put(struct ring *r, int value) {
  unsigned at = r->first + r->used;
  if (at >= r->room) at -= r->room;
  r->cells[at] = value;                                                     //@ PROVED bounds
  r->used++;
}

int main(void) { return 0; }
