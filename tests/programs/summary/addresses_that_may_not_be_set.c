// smalti: --stages summary --checks assertion
// A pointer that may not be set yet is copied, or stored in a member or a block: what is written
// through the copy changes the object all the same.
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

struct holder {
    int *to;
    int other;
};

static int *later;

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[4] = {7, 7, 7, 7}, b[4] = {7, 7, 7, 7};
    int *p = 0, *copy, *walk;
    if (n > 0) p = a;
    copy = p;
    if (n > 0) *copy = 10;
    //@ RESIDUAL!   a[0] == 7
    if (n > 1) later = b;
    for (int i = 0; i < 4; i++) {
        walk = later;
        if (n > 1) {
            walk += i;
            *walk = 10;
        }
    }
    //@ RESIDUAL!   b[3] == 7
    int *block = malloc(10 * sizeof(int)), **table = malloc(2 * sizeof(int *));
    struct holder one, same;
    for (int i = 0; i < 10; i++) block[i] = 7;
    one.to = block;
    same = one;
    for (int i = 0; i < 4; i++) same.to[i] = 10;
    //@ RESIDUAL!   block[0] == 7
    table[0] = block;
    table[1] = block + 1;
    for (int i = 5; i < 9; i++) table[1][i] = 10;
    //@ RESIDUAL!   block[8] == 7
    __VERIFIER_assert(block[4] == 7 || n < 0);     //@ PROVED
    return 0;
}
