// smalti: --stack smash/box --checks bounds
// Accesses in range, and one past the end.
int main(void) {
    int a[5];
    for (int i = 0; i < 5; i++) {
        a[i] = i;                     //@ PROVED bounds
    }
    int last = 4;
    a[last] = 0;                      //@ PROVED bounds
    a[last + 1] = 0;                  //@ VIOLATED bounds
    return 0;
}
