// smalti: --stack smash/box --stages domains
// Two indexes, one summary.
static int m[4][5];

int main(void) {
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
            m[i][j] = 2;
        }
    }
    //@ PROVED      m[3][4] >= 0 && m[3][4] <= 2
    //@ RESIDUAL!   m[3][4] == 0
    //@ TODO        m[3][4] == 2
    return 0;
}
