// smalti: --stack smash/box
// Pointers into one array subtract to the number of elements between them.
int main(void) {
    int a[10];
    int *p = &a[2], *q = &a[7];
    //@ PROVED      q - p == 5
    //@ PROVED      p < q
    //@ PROVED      p + 5 == q
    //@ VIOLATED    q - p == 20
    return 0;
}
