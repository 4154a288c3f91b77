// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages bounded,refine,shrink,prune
// The compiler decides whether equal literals are one object.
int main(void) {
    const char *p = "text", *q = "text";
    //@ RESIDUAL!   p == q
    //@ RESIDUAL!   p != q
    return 0;
}
