// smalti: --stack relation/partition/octagon --stages domains
// smalti: --stack box --stages domains
// A number that is not 0 may be 0 in a narrower type; in a wider one, and as a `_Bool`, it is not.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (!(char)x) {
        //@ RESIDUAL!   x == 0
    }
    if ((unsigned short)x == 0) {
        //@ RESIDUAL!   x < 65536
    }
    if (!(long long)x) {
        //@ PROVED   x == 0
    }
    if (!(_Bool)x) {
        //@ PROVED   x == 0
    }
    return 0;
}
