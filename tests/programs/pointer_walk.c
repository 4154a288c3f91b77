// smalti: --stack smash/box
// A pointer walks over an array and is compared with its end.
int main(void) {
    int a[4];
    int n = 0;
    for (int *p = a; p != a + 4; ++p) {
        *p = n++;
    }
    //@ PROVED      n == 4
    //@ PROVED      a[0] == 0 && a[3] == 3
    //@ VIOLATED    a[2] == 3
    return 0;
}
