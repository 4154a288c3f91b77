// smalti: --stack smash/box --stages domains
// After a recursive call, everything that it may write is unknown.
int depth;

static void down(int n) {
    depth = n;
    if (n > 0) {
        down(n - 1);
    }
}

int main(void) {
    int mine = 3;
    depth = 50;
    down(5);
    //@ RESIDUAL!   depth == 50
    //@ PROVED      mine == 3
    return 0;
}
