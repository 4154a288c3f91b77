// smalti: --stages summary --checks assertion
// A branch that only fails asserts that its condition does not hold: what is given is the path
// before the branch, and a run that decides against the branch has evaluated the condition.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { LENGTH = 12 };

static int flags(const int *of) {
    int all = 0;
    for (int i = 0; i < LENGTH; i++) all |= of[i];
    return all;
}

static int balance(const int *of) {
    int above = 0;
    for (int i = 0; i < LENGTH; i++) {
        if (of[i] > 7) above++;
        else above--;
    }
    return above;
}

int main(void) {
    int cells[LENGTH];
    for (int i = 0; i < LENGTH; i++) cells[i] = __VERIFIER_nondet_int();
    int before = flags(cells), above = balance(cells), last = cells[LENGTH - 1];
    // By one cell to the right, and the last one to the front.
    for (int i = LENGTH - 1; i > 0; i--) cells[i] = cells[i - 1];
    cells[0] = last;
    if (flags(cells) != before) reach_error();      //@ PROVED
    if (balance(cells) == above) { } else { reach_error(); }    //@ PROVED
    cells[0] = cells[1];
    if (flags(cells) != before) reach_error();      //@ RESIDUAL!  the last cell is gone
    if (balance(cells) != above) reach_error();     //@ RESIDUAL!  the last cell is gone
    if (above > 2147483647) reach_error();          //@ PROVED
    if (last < 0 && last / (last - last) > 5)
        reach_error();      //@ PROVED  no run is defined and gets there
    return 0;
}
