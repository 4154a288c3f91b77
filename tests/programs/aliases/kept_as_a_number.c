// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code stores an address that it received as a number, and writes there in a later call.
extern void keep_number(unsigned long), poke(void);

int main(void) {
    int x;
    unsigned long bits = (unsigned long)&x, copy = 0;
    for (int i = 0; i < 64; i++)
        if (bits >> i & 1)
            copy |= 1ul << i;
    keep_number(copy);
    x = 0;
    poke();
    //@ RESIDUAL!   x == 0
    return 0;
}
