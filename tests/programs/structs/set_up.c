// smalti: --function set_up --stages domains,summary,induction --checks assertion,bounds
// The pointer in the struct is not valid before.
struct list { int *cells; unsigned length, room; };

/*@ requires \valid(l) && \valid(cells + (0 .. room - 1)) && \separated(l, cells + (0 .. room - 1));
    assigns l->cells, l->length, l->room;                                   //@ PROVED
    ensures l->cells == cells;                                              //@ PROVED
    check ensures l->cells == cells + 1;                                          //@ RESIDUAL!
    ensures \valid(l->cells + (0 .. l->room - 1));                          //@ PROVED
    check ensures \valid(l->cells + (0 .. l->room));                              //@ RESIDUAL!
    check ensures \valid(l->cells);  //@ RESIDUAL!  there may be no cell
    ensures \separated(l, l->cells + (0 .. room - 1));                      //@ PROVED
*/
void set_up(struct list *l, int *cells, unsigned room) {
  l->cells = cells;
  l->room = room;
  l->length = 0;
}

int main(void) { return 0; }
