// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// Pointer differences count the members in between.
struct pair { int first, second; };

int main(void) {
    struct pair pairs[3] = {{0}};
    int *p = &pairs[0].first, *q = &pairs[2].first;
    long distance = q - p;
    //@ RESIDUAL!   distance == 2
    return 0;
}
