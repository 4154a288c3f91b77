// smalti: --function push --stages domains,summary,induction --checks assertion,bounds
// The list is a global variable.
struct list { int *cells; unsigned length, room; };
struct list list;

/*@ requires \valid(list.cells + (0 .. list.room - 1)) && list.length < list.room;
    assigns list.length, list.cells[list.length];                           //@ PROVED
    ensures list.length == \old(list.length) + 1;                           //@ PROVED
    ensures list.cells[\old(list.length)] == value;                         //@ PROVED
    check ensures list.cells[0] == value;                                         //@ RESIDUAL!
    ensures \valid(list.cells + (0 .. list.room - 1));                      //@ PROVED
    check ensures \valid(list.cells + (0 .. list.room));                          //@ RESIDUAL!
*/
void push(int value) {
  list.cells[list.length++] = value;                                        //@ PROVED bounds
}

int main(void) { return 0; }
