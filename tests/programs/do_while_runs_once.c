// smalti: --stack smash/box --stages domains
// The body of do-while runs before the first test; continue goes to the test.
int main(void) {
    int n = 100;
    int runs = 0;
    do {
        runs++;
        if (runs > 50) {
            continue;
        }
    } while (n < 10);
    //@ PROVED      runs == 1
    //@ RESIDUAL!   runs == 0
    return 0;
}
