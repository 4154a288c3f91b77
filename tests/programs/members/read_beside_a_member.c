// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A read sees the member that the pointer has moved to.
struct pair { int first, second; };

int main(void) {
    struct pair pairs[2] = {{1, 2}, {3, 4}};
    int *p = &pairs[0].second;
    int read = p[1];
    //@ RESIDUAL!   read == 4
    return 0;
}
