// smalti: --stack smash/box --stages domains
// An object written through a pointer to char has another value afterwards.
int main(void) {
    int x = 1;
    int y = 2;
    unsigned char *p = (unsigned char *)&x;
    p[0] = 9;
    //@ RESIDUAL!   x == 1
    //@ PROVED      y == 2
    return 0;
}
