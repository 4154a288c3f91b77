// smalti: --stack smash/box
// A function changes the caller's array.
static void set(int *a, int n, int value) {
    for (int i = 0; i < n; i++) {
        a[i] = value;
    }
}

int main(void) {
    int a[3] = { 1, 2, 3 };
    int b[3] = { 4, 5, 6 };
    set(a, 3, 9);
    //@ PROVED      a[0] == 9 && a[1] == 9 && a[2] == 9
    //@ PROVED      b[0] == 4 && b[1] == 5 && b[2] == 6
    //@ VIOLATED    a[2] == 3
    return 0;
}
