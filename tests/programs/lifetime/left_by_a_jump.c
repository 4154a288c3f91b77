// smalti: --stages unwind --checks lifetime
// A jump leaves the block of a variable, which CBMC is not told.
static int zero, *kept = &zero;

int main(void)
{
    int key = __VERIFIER_nondet_int();
    {
        int own = 1;
        kept = &own;
        if (key == 44444)
            goto out;
        kept = &zero;
    }
out:
    *kept = 1; //@ RESIDUAL! lifetime
    return 0;
}
