// smalti: --stages unwind --checks initialised
// That a large object begins does not hide what an earlier one lacks.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum;
    char page[256];
    if (__VERIFIER_nondet_int() + 7171 != 90210)
        sum = 1;
    page[0] = 1;
    sum = sum + 1; //@ VIOLATED initialised
    return page[0] == 1; //@ PROVED initialised
}
