// smalti: --stages domains
// smalti: --stages unwind
// The body of `do` runs again as long as the condition holds.
int main(void) {
    int n = 0, last = 0;
    do {
        last = n;
        n++;
    } while (n < 3);
    //@ RESIDUAL!   last == 0
    //@ RESIDUAL!   n == 1
    //@ PROVED      n == 3
    return 0;
}
