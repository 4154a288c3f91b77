// smalti: --stages summary
// smalti: --stages induction
// smalti: --stages domains,summary,induction
// The call in main passes the annotation. The calls inside of it do not.
void count(int n) {
    /*@ assert n == 3; */                         //@ RESIDUAL!  the inner calls have a smaller n
    if (n > 0) count(n - 1);
}

int main(void) {
    if (__VERIFIER_nondet_int() == 0) count(3);
    return 0;
}
