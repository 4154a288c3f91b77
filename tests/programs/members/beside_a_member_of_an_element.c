// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// After a member of an element comes another member, not the same member of the next element.
struct pair { int first, second; };

int main(void) {
    struct pair pairs[3] = {{0}};
    int *p = &pairs[0].first;
    for (int i = 0; i < 3; i++)
        p++;
    *p = 5;
    //@ RESIDUAL!   pairs[1].second == 0
    return 0;
}
