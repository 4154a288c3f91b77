// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages bounded,refine,shrink,prune
// A pointer that may be any leads to whatever others know.
extern void *__VERIFIER_nondet_pointer(void);
int global = 1;

int main(void) {
    int *p = __VERIFIER_nondet_pointer();
    if (p)
        *p = 2;
    //@ RESIDUAL!   global == 1
    return 0;
}
