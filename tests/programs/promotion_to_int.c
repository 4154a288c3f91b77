// smalti: --stack smash/box
// Operands narrower than int are promoted, so their sum does not wrap.
int main(void) {
    unsigned char a = 200, b = 100;
    int sum = a + b;
    unsigned char wrapped = a + b;
    //@ PROVED      sum == 300
    //@ PROVED      wrapped == 44
    //@ VIOLATED    sum == wrapped
    return 0;
}
