// smalti: --stages summary --checks assertion
// A block of the heap that one pointer holds is known by its name; what is written through copies
// of that pointer changes the block all the same.
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { LENGTH = 20 };

int main(void) {
    int *block = malloc(LENGTH * sizeof(int));
    if (!block) return 0;
    for (int i = 0; i < LENGTH; i++) block[i] = 7;
    for (int i = 0; i < LENGTH; i++) {
        int *cell = &block[i];
        *cell += 3;
    }
    __VERIFIER_assert(block[0] == 10 && block[LENGTH - 1] == 10);  //@ PROVED
    //@ RESIDUAL!   block[0] == 7
    int *walk = block;
    for (int i = 0; i < LENGTH - 1; i++) {
        *walk = i;
        walk++;
    }
    __VERIFIER_assert(block[4] == 4);  //@ PROVED
    __VERIFIER_assert(block[LENGTH - 1] == 10);  //@ PROVED
    //@ RESIDUAL!   block[4] == 10
    int *chosen = block;
    if (__VERIFIER_nondet_int()) chosen = block + 1;
    *chosen = 100;
    __VERIFIER_assert(block[0] == 100 || block[1] == 100);  //@ PROVED
    __VERIFIER_assert(block[2] == 2);  //@ PROVED
    //@ RESIDUAL!   block[0] == 0
    //@ RESIDUAL!   block[1] == 1
    unsigned char *bytes = (unsigned char *)block;
    bytes[8] = 1;
    //@ RESIDUAL!   block[2] == 2
    return 0;
}
