// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// The argument strings of a program are objects: they hold what was last written to them.
int main(int count, char **texts) {
    int x = 2;
    if (count > 2) {
        texts[1][0] = 'c';
        texts[2][0] = 'd';
        if (texts[1][0] == 'd')
            x = 3;
        if (texts[2][0] == 'd')
            x = x + 2;
    }
    //@ RESIDUAL!   x == 2
    //@ RESIDUAL!   x != 4
    //@ RESIDUAL!   x != 5
    return 0;
}
