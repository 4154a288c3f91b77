// smalti: --stack smash/box
// A string ends in 0; an array initialised by it is a copy.
int main(void) {
    char word[] = "tile";
    const char *p = "xyz";
    //@ PROVED      sizeof(word) == 5
    //@ PROVED      word[0] == 't' && word[4] == 0
    //@ PROVED      p[1] == 'y'
    word[0] = 'p';
    //@ PROVED      word[0] == 'p' && word[1] == 'i'
    //@ VIOLATED    word[3] == 0
    return 0;
}
