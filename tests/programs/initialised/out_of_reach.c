// smalti: --stages domains --stack values --checks initialised
// Code without a body writes what it can reach. A variable whose address it does not know yet is
// none of that.
extern void unknown(int *p);
extern int __VERIFIER_nondet_int(void);

static int before_its_address_is_known(void)
{
    int early, other;
    unknown(&other);
    int sum = early; //@ RESIDUAL! initialised
    int *p = &early;
    unknown(p);
    return sum + early + other; //@ PROVED initialised
}

static int one_of_two(void)
{
    int a, b;
    unknown(__VERIFIER_nondet_int() ? &a : &b);
    return a; //@ RESIDUAL! initialised
}

static int behind_another_pointer(void)
{
    int inner;
    int *p = &inner;
    unknown((int *)&p);
    return inner; //@ PROVED initialised
}

int main(void)
{
    return before_its_address_is_known() + one_of_two() + behind_another_pointer();
}
