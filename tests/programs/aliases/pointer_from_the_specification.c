// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages bounded,refine,shrink,prune
// An arbitrary pointer may point to anything that other files know.
extern void *__VERIFIER_nondet_pointer(void);
int global = 1;

int main(void) {
    int *p = __VERIFIER_nondet_pointer();
    if (p)
        *p = 2;
    //@ RESIDUAL!   global == 1
    return 0;
}
