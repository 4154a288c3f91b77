// smalti: --stages domains --stack partition/octagon
int main(void) {
    int a[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) a[i][j] = 5;
    for (int j = 0; j < 4; j++) a[2][j] = 6;
    int k = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
    if (k < 0 || k >= 3 || l < 0 || l >= 4) return 0;
    //@ RESIDUAL!   a[k][l] == 5
    //@ RESIDUAL!   a[k][l] == 6
    return 0;
}
