// smalti: --function add --stages domains,summary,induction --checks assertion,bounds
// The contract lists a cell that does not exist if the list is full. Runs with a full list count.
struct list { int *cells; unsigned length, room; };

/*@ requires \valid(l) && \valid(l->cells + (0 .. l->room - 1)) && l->length <= l->room;
    assigns l->length, l->cells[l->length];
    ensures l->length == \old(l->length) || l->length == \old(l->length) + 1;
    ensures l->room == \old(l->room);
*/
void push(struct list *l, int value);

/*@ requires \valid(l) && \valid(l->cells + (0 .. l->room - 1)) && l->length <= l->room;
    check ensures \old(l->length) < l->room;  //@ RESIDUAL!  it may be full
*/
void add(struct list *l, int value) {
  push(l, value);
}

int main(void) { return 0; }
