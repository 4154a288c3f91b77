// smalti: --function set --checks assertion,bounds
// smalti: --function set --stages domains,summary,induction --checks assertion,bounds
// The cells of a matrix, row after row.
struct matrix { int rows, columns; int *cells; };

/*@ predicate matrix(struct matrix *m) =
      \valid(m) && \valid(m->cells + (0 .. m->rows * m->columns - 1)) &&
      \separated(m, m->cells + (0 .. m->rows * m->columns - 1)) &&
      0 < m->rows <= 1000 && 0 < m->columns <= 1000; */

/*@ requires matrix(m) && 0 <= row < m->rows && 0 <= column < m->columns;
    assigns m->cells[row * m->columns + column];                            //@ PROVED
    ensures matrix(m);                                                      //@ PROVED
    ensures m->cells[row * m->columns + column] == value;                   //@ PROVED
*/
void set(struct matrix *m, int row, int column, int value) {
  m->cells[row * m->columns + column] = value;                              //@ PROVED bounds
}

int main(void) { return 0; }
