// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// The source determines what lies beside a member.
struct spread { int first; int last __attribute__((aligned(16))); };

int main(void) {
    struct spread spread = {1, 2};
    int *first = &spread.first;
    first[4] = 9;
    //@ RESIDUAL!   spread.last == 2
    first = &spread.last;
    first[-1] = 7;
    //@ RESIDUAL!   spread.first == 7
    return 0;
}
