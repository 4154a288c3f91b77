// smalti: --checks assertion,bounds
// In a block of whole structs, their last arrays have no extra room.
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
    struct line *p = malloc(sizeof *p);
    p->d[0] = 7;
    p->d
        [i] = 7;                 //@ VIOLATED bounds
    return 0;
}
