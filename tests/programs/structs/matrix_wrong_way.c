// smalti: --function set --checks assertion,bounds
// Wrong: rows and columns are exchanged.
struct matrix { int rows, columns; int *cells; };

/*@ predicate matrix(struct matrix *m) =
      \valid(m) && \valid(m->cells + (0 .. m->rows * m->columns - 1)) &&
      \separated(m, m->cells + (0 .. m->rows * m->columns - 1)) &&
      0 < m->rows <= 1000 && 0 < m->columns <= 1000; */

/*@ requires matrix(m) && 0 <= row < m->rows && 0 <= column < m->columns;
    check ensures m->cells[row * m->columns + column] == value;                   //@ RESIDUAL!
*/
void set(struct matrix *m, int row, int column, int value) {
  m->cells[column * m->rows + row] = value;
}

int main(void) { return 0; }
