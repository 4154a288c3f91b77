// smalti: --stages domains,summary --stack values,relation/partition/octagon
// `x ?: y` is GNU C: the value of `x`, which is evaluated once, or that of `y`.
extern int __VERIFIER_nondet_int(void);

static int calls, *place;

static int count(void) { return ++calls; }

int main(void)
{
    int x = __VERIFIER_nondet_int(), a[2] = {4, 5}, *p = x ? a : 0, *q;
    long wide = x;
    int c = count() ?: 7;
    //@ PROVED      c == 1 && calls == 1
    c = x ? : 9;
    //@ PROVED      c != 0
    //@ RESIDUAL!   c == 9
    //@ RESIDUAL!   c == x
    int none = 0, some = 5;
    c = none ?: 9;
    //@ PROVED      c == 9
    c = some ?: 9;
    //@ PROVED      c == 5
    c = (calls = 0)/* none */?: count();
    //@ PROVED      c == 1 && calls == 1
    c = count() ?: count();
    //@ PROVED      c == 2 && calls == 2
    q = p ?: &a[1];
    //@ PROVED      *q >= 4 && *q <= 5
    //@ RESIDUAL!   *q == 4
    c = 0 ?: none
        ?
        : 3;
    //@ PROVED      c == 3
    c = 0 ? 1 : x ?: 2 ? : 3;
    //@ RESIDUAL!   c == 2
    //@ RESIDUAL!   c != 3
    //@ PROVED      sizeof(wide ?: 1) == sizeof(long) && sizeof(x ?: 1L) == sizeof(long)
    //@ PROVED      (-1 ?: 1u) > 0
    enum { five = 0 ?: 5 };
    //@ PROVED      five == 5 && "?:"[1] == ':' && ('?' ?:1) == 63
    place = q;
    x ?: count();
    //@ RESIDUAL!   calls == 2
    //@ RESIDUAL!   calls == 3
    x = __VERIFIER_nondet_int();
    c = x ?: 10 / x; //@ RESIDUAL! division
    return 0;
}
