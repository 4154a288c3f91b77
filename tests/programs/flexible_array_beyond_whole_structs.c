// smalti: --checks assertion
// The text for CBMC allocates whole structs: the last cells of this block were outside its object,
// and compared equal.
void *malloc(unsigned long);
struct line {
    long a, b;
    int d[];
};

int main(void) {
    struct line *p = malloc(sizeof(struct line) + 6 * sizeof(int));
    p->d[0] = 1;
    p->d[5] = 2;
    //@ RESIDUAL!  p->d[4] == p->d[5]
    //@ PROVED     p->d[5] == 2
    return 0;
}
