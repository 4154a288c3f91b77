// smalti: --stack smash/box
// Rows of an array of arrays do not overlap.
int main(void) {
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    m[0][2] = 30;
    //@ PROVED      m[1][0] == 4
    //@ PROVED      m[0][2] == 30
    //@ PROVED      m[1][2] == 6
    //@ VIOLATED    m[1][2] == 30
    int *row = m[1];
    row[0] = 40;
    //@ PROVED      m[1][0] == 40
    return 0;
}
