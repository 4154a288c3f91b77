// smalti: --stages summary --checks assertion
// A number that becomes a pointer may be the address of a global.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern long address_of_others;
int global = 1;

int main(void) {
    if (__VERIFIER_nondet_int() > 0) {
        int *made = (int *)address_of_others;
        *made = 3;
    }
    __VERIFIER_assert(global == 1);     //@ RESIDUAL!  the number may be its address
    return 0;
}
