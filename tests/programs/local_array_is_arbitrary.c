// smalti: --stack smash/box
// A local array holds anything until it is written.
int main(void) {
    int a[4];
    a[1] = 8;
    //@ VIOLATED    a[0] == 8
    //@ VIOLATED    a[2] != 12345
    //@ PROVED      a[1] == 8
    return 0;
}
