// smalti: --stack smash/box --stages domains
// A loop made of a label and a jump.
int main(void) {
    int i = 0;
again:
    if (i < 20) {
        i += 2;
        goto again;
    }
    //@ PROVED      i >= 20
    //@ PROVED      i <= 21
    //@ RESIDUAL!   i == 21
    return 0;
}
