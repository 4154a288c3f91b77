// smalti: --stack smash/box
// A recursive function: the domains give up on its result, CBMC unwinds it.
static int factorial(int n) {
    if (n <= 1) {
        return 1;
    }
    return n * factorial(n - 1);
}

int main(void) {
    int f = factorial(4);
    //@ VIOLATED    f == 25
    return f == 24;
}
