// smalti: --stages domains
// The alignment of a type is not its size, and a type may be aligned before it is defined.
extern void __VERIFIER_assert(int);
extern void *memset(void *, int, unsigned long);

struct bytes
{
    char c[8];
} s = {{1, 1, 1, 1, 1, 1, 1, 1}};

int main(void)
{
    memset(&s, 0, _Alignof(s));
    __VERIFIER_assert(s.c[0] == 0);
    __VERIFIER_assert(s.c[3] == 1); //@ PROVED
    __VERIFIER_assert(s.c[3] == 0); //@ RESIDUAL!
    return 0;
}
