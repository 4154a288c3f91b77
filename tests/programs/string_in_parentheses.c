// smalti: --stages bounded,unwind
#define TEXT ("abc" "de")
int main(void) {
    const char *s = ("xyz");
    //@ PROVED  sizeof("abcde") == 6     parentheses are no part of the string
    //@ PROVED  sizeof TEXT == 6 && TEXT[4] == 'e' && TEXT[5] == 0
    //@ PROVED  s[0] == 'x' && s[2] == 'z' && s[3] == 0
    //@ VIOLATED  s[0] == 0
    return 0;
}
