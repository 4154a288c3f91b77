// smalti: --stack smash/box --stages domains
// An array of one cell is a scalar: its updates are strong.
int main(void) {
    int sum[1];
    sum[0] = 0;
    for (int i = 0; i < 5; i++) {
        sum[0] = sum[0] + 2;
    }
    //@ PROVED      sum[0] >= 0
    sum[0] = 4;
    //@ PROVED      sum[0] == 4
    //@ RESIDUAL!   sum[0] == 10
    return 0;
}
