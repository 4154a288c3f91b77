// smalti: --stages summary --checks assertion
// A jump forward leads into a branch that its condition never leads to. Whether the branch is
// taken says nothing about the runs that jump.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), seen = 0;
    if (n == 2) goto inside;
    if (n > 3) {
        seen = 1;
        if (n < 3) {
inside:
            reach_error();      //@ RESIDUAL!  n == 2 jumps here
        }
        if (n < 3 && seen == 1) reach_error();     //@ PROVED
    }
    return 0;
}
