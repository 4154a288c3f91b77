// smalti: --stack smash/box
// Conversions to narrow types keep the low bits; char is signed.
int main(void) {
    int big = 300;
    unsigned char u = (unsigned char)big;
    signed char s = (signed char)200;
    char c = (char)255;
    short h = (short)70000;
    //@ PROVED      u == 44
    //@ PROVED      s == -56
    //@ PROVED      c == -1
    //@ PROVED      h == 4464
    //@ VIOLATED    u == 300
    return 0;
}
