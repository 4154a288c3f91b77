// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A pointer to a member moves to the next one.
struct pair { int first, second; };

int main(void) {
    struct pair pair = {1, 0};
    int *p = &pair.first;
    p[1] = 3;
    //@ RESIDUAL!   pair.second == 0
    return 0;
}
