// smalti: --checks bounds --stages run,bounded
// A pointer to the end of an array within a struct may also be one to the member after it, behind
// padding. Where it is in bytes is not known, so no run goes on with it as other bytes.
struct pair { char c[3]; int i; };
struct last { int i; char c[3]; };

int main(void) {
    struct pair p = {{1, 2, 3}, 4};
    char *c = p.c + 3;
    c += 4;
    char x = *c;                                //@ RESIDUAL bounds
    struct last q = {4, {1, 2, 3}};
    short *s = (short *)(q.c + 3);
    s--;
    return *(char *)s == x;
}
