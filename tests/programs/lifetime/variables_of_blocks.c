// smalti: --stages domains
// Pointers to variables of blocks and calls that are not used after the end of the variables.
static int *kept;
static int last;

static void keep_for_a_while(int x)
{
    int copy = x;
    kept = &copy;
    *kept += 1; //@ PROVED lifetime
    last = copy;
    kept = 0;
}

static int *larger(int *a, int *b)
{
    return *a > *b ? a : b; //@ PROVED lifetime   objects of the caller
}

static int sum(int n, int *from)
{
    int here = n + *from; //@ PROVED lifetime   a variable of a call that waits
    return n <= 0 ? here : sum(n - 1, &here);
}

int main(void)
{
    int x = __VERIFIER_nondet_int() & 7;
    keep_for_a_while(x);
    if (kept)
        *kept = 2; //@ UNREACHABLE lifetime
    int y = 4;
    *larger(&x, &y) = 0; //@ PROVED lifetime
    int *p = &x;
    for (int i = 0; i < 10; i++) {
        int inner = i;
        p = &inner;
        *p += 1; //@ PROVED lifetime   of this iteration
        p = &x;
    }
    *p = 3; //@ PROVED lifetime
    static int zero;
    x = sum(x, &zero);
    return 0;
}
