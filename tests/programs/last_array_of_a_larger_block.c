// smalti: --checks assertion,bounds
// Before C99, `int d[]` did not exist: the last array of a struct reaches to the end of its block.
void *malloc(unsigned long);
struct line {
    int n;
    int d[1];
};

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4) {
        return 0;
    }
    struct line *p = malloc(sizeof(struct line) + 4 * sizeof(int));
    p->n = 5;
    p->d
        [i] = 7;                 //@ RESIDUAL bounds   it is inside
    //@ RESIDUAL!  i < 1         nothing may rest on the length that is declared
    //@ RESIDUAL!  i < 4
    //@ PROVED     p->n == 5
    //@ PROVED     p->d[i] == 7
    //@ RESIDUAL!  p->d[3] == p->d[4]   the block of CBMC ends before them
    return 0;
}
