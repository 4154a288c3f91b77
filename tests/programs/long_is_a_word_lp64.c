// smalti: --stack smash/box --data-model lp64
// With lp64, long has 64 bits.
int main(void) {
    long x = 2147483647;
    x = x + 1;
    //@ PROVED      x == 2147483648
    //@ PROVED      sizeof(long) == 8
    //@ PROVED      sizeof(int *) == 8
    return 0;
}
