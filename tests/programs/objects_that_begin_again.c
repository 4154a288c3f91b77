// smalti: --stack smash/octagon --stages domains
// smalti: --stack partition/octagon --stages domains
// The objects of a block are new each time the block is entered.
int main(void) {
    for (int i = 0; i < 3; i++) {
        int x;
        int a[3];
        if (i > 0) {
            //@ RESIDUAL!   x == 7
            //@ RESIDUAL!   a[1] == 7
        }
        x = 7;
        for (int k = 0; k < 3; k++)
            a[k] = 7;
        //@ PROVED      x == 7
    }
    return 0;
}
