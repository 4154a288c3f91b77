// smalti: --stack smash/box --stages domains
// Static storage is 0, so what is written joins 0.
static int a[10];

int main(void) {
    for (int i = 0; i < 10; i++) {
        a[i] = 3;
    }
    //@ PROVED      a[4] >= 0 && a[4] <= 3
    //@ TODO        a[4] == 3   one summary for the whole array keeps the old 0
    //@ RESIDUAL!   a[4] == 0
    return 0;
}
