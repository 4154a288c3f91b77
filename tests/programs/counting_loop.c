// smalti: --stack smash/box --stages domains
// Widening loses the upper bound, the exit test brings it back.
int main(void) {
    int i = 0;
    while (i < 1000) {
        //@ PROVED      i >= 0 && i < 1000
        //@ RESIDUAL!   i < 999
        i++;
    }
    //@ PROVED      i == 1000
    //@ RESIDUAL!   i == 999
    return 0;
}
