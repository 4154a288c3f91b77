// smalti: --stages domains
// Pointers that stay in an array that is a member change nothing else.
extern int __VERIFIER_nondet_int(void);
struct row { int before; int cells[10]; int last; };

static void clear(int *cells, int n) {
    for (int i = 0; i < n; i++)
        cells[i] = 0;
}

int main(void) {
    struct row row, rows[2];
    row.before = rows[1].last = 7;
    row.last = 8;
    clear(row.cells, 10);
    //@ PROVED   row.before == 7 && row.last == 8 && row.cells[9] == 0
    for (int *p = row.cells; p < row.cells + 10; p++)
        *p = 1;
    //@ PROVED   row.before == 7 && row.last == 8
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 10) {
        int *p = &row.cells[i];
        *p = 9;
        //@ PROVED   row.cells[i] == 9 && row.last == 8
    }
    clear(rows[0].cells, 10);
    //@ PROVED   rows[1].last == 7
    return 0;
}
