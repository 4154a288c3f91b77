// smalti: --stack smash/box
// A write through a pointer changes what it points to, and nothing else.
int main(void) {
    int x = 1, y = 2;
    int *p = &x;
    *p = 10;
    //@ PROVED      x == 10
    //@ PROVED      y == 2
    p = &y;
    *p = 20;
    //@ PROVED      x == 10 && y == 20
    //@ VIOLATED    x == 20
    return 0;
}
