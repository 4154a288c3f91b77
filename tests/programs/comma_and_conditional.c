// smalti: --stack smash/box --stages domains
// The comma operator, compound assignment, increments as values.
int main(void) {
    int i = 1;
    int a = (i = 4, i + 1);
    int b = i++ + 10;
    int c = ++i;
    //@ PROVED      a == 5
    //@ PROVED      b == 14
    //@ PROVED      c == 6 && i == 6
    c <<= 2;
    c -= 4;
    //@ PROVED      c == 20
    //@ RESIDUAL!   c == 24
    return 0;
}
