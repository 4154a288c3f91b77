// smalti: --stack smash/box --stages domains
// A write to one member of a union changes the others.
union word { int i; unsigned char bytes[4]; };

int main(void) {
    union word w;
    int other = 6;
    w.i = 5;
    w.bytes[0] = 1;
    //@ RESIDUAL!   w.i == 5
    //@ PROVED      other == 6
    return 0;
}
