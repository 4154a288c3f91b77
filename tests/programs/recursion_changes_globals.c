// smalti: --stack smash/box --stages domains
// What a recursive call may write is not known afterwards.
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
