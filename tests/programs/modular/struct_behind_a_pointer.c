// smalti: --function twice --stages domains,summary,induction --checks assertion,bounds
// Calls of functions that have contracts and no bodies.
struct list { int *cells; unsigned length, room; };

/*@ predicate list(struct list *l) = \valid(l) && \valid(l->cells + (0 .. l->room - 1)) &&
      \separated(l, l->cells + (0 .. l->room - 1)) && l->length <= l->room; */

/*@ requires list(l) && l->length < l->room;
    assigns l->length, l->cells[l->length];
    ensures list(l) && l->length == \old(l->length) + 1 && l->cells[\old(l->length)] == value;
*/
void push(struct list *l, int value);

/*@ requires \valid(l) && \valid(cells + (0 .. room - 1)) &&
             \separated(l, cells + (0 .. room - 1));
    assigns l->cells, l->room, l->length;
    ensures l->cells == cells && l->room == room && l->length == 0;
*/
void begin(struct list *l, int *cells, unsigned room);

/*@ requires \valid(l) && \valid(cells + (0 .. room - 1)) &&
             \separated(l, cells + (0 .. room - 1)) && room > 1;
    ensures list(l);                                                        //@ PROVED
    ensures l->length == 2 && l->cells == cells;                            //@ PROVED
    ensures cells[0] == 1 && cells[1] == 2;                                 //@ PROVED
    ensures \forall integer k; 2 <= k < room ==> cells[k] == \old(cells[k]);   //@ PROVED
    check ensures cells[1] == 1;                                                  //@ RESIDUAL!
*/
void twice(struct list *l, int *cells, unsigned room) {
  begin(l, cells, room);
  push(l, 1);
  push(l, 2);
}

int main(void) { return 0; }
