// smalti: --stack smash/box
// Division rounds towards 0, and the remainder has the sign of the dividend.
int main(void) {
    int a = -7, b = 2;
    //@ PROVED      a / b == -3
    //@ PROVED      a % b == -1
    //@ PROVED      7 % -2 == 1
    //@ VIOLATED    a / b == -4
    return 0;
}
