// smalti: --stack smash/box
// Two steps of indirection.
int main(void) {
    int x = 1, y = 2;
    int *p = &x;
    int **pp = &p;
    *pp = &y;
    *p = 7;
    //@ PROVED      y == 7
    //@ PROVED      x == 1
    **pp = 9;
    //@ PROVED      y == 9
    //@ VIOLATED    x == 9
    return 0;
}
