// smalti: --stages bounded --checks lifetime
// The body of a loop is a block that ends before the condition is evaluated.
static int *kept, zero;

static void goes_on(int key)
{
    do {
        int own = 1;
        kept = &own;
        if (key == 30303)
            continue;
        kept = &zero;
    } while (*kept == 7); //@ VIOLATED lifetime   the block of the body has ended
}

int main(void)
{
    goes_on(__VERIFIER_nondet_int());
    return 0;
}
