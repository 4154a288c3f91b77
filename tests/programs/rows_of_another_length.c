// smalti: --stages domains --stack smash/box
// smalti: --stages domains --stack smash/apron-octagon
int last(int n, int rows[][n]) {
    int (*r)[n] = rows + 1;
    r++;
    //@ PROVED  r == rows + 2     a parameter's rows are as long as the argument's
    return r[0][0];
}
int main(void) {
    int n = 3, m = 2;
    int q[4][n];
    int i, j;
    for (i = 0; i < 4; i++) {
        for (j = 0; j < n; j++) {
            q[i][j] = 0;
        }
    }
    int (*f)[n] = q;
    int (*e)[m] = (int (*)[m])q; // the same cells in shorter rows
    f += 2;
    e += 3;
    //@ RESIDUAL!  (int (*)[n])e != f     three short rows are two long ones
    //@ RESIDUAL  (int (*)[n])e == f
    //@ PROVED  f == q + 2
    return last(n, q);
}
