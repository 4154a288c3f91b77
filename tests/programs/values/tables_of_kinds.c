// smalti: --stack values --stages domains --checks bounds,assertion
// A condition on an element of a constant array tells of the index.
extern int __VERIFIER_nondet_int(void);
enum { LETTER = 1, DIGIT = 2, SPACE = 4 };
static const unsigned short kinds[8] = {0, LETTER, 3, 3, DIGIT, 6, SPACE, 0};
static const unsigned short *middle = kinds + 2;
static const int next[4] = {1, 3, 3, 0};
static int slots[4];

int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 7) return 0;
    if (kinds[c] & DIGIT) {
        //@ PROVED      c >= 2 && c <= 5
        //@ RESIDUAL!   c > 2
        slots[c - 2] = 1;                                                       //@ PROVED bounds
    } else {
        //@ RESIDUAL!   c > 0
        //@ RESIDUAL!   c < 7
    }
    if (kinds[c] == 3) {
        //@ PROVED      c == 2 || c == 3
    }
    if (c > 5) return 0;
    const unsigned short **p = &middle;
    if ((*p)[c] & DIGIT) {
        //@ PROVED      c <= 3
        //@ RESIDUAL!   c > 0
        //@ RESIDUAL!   c < 3
    }
    if (c < 4 && next[c] < 2) {
        //@ RESIDUAL!   c != 0
        //@ RESIDUAL!   c != 3
    }
    if (c < 4 && next[c] == 3 && c != 1) {
        //@ PROVED      c == 2
    }
    return 0;
}
