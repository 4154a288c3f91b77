// smalti: --stack values --stages domains
// Structs are copied with what is known of them; members of a union share their bytes.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
union number { unsigned int word; unsigned char bytes[4]; float real; };
struct pair { int first, second; };
struct inner { short s; struct pair pairs[2]; };

static struct pair swap(struct pair p) {
    struct pair q = {p.second, p.first};
    return q;
}

int main(void) {
    union number u;
    u.word = 0x01020304;
    //@ PROVED      u.bytes[0] == 4 && u.bytes[3] == 1
    u.bytes[3] = 0;
    //@ PROVED      u.word == 0x020304
    u.real = 1.0f;
    //@ PROVED      u.word == 0x3f800000
    struct pair p = {1, 2}, q = swap(p);
    //@ PROVED      q.first == 2 && q.second == 1
    struct inner x, y;
    memset(&x, 0, sizeof x);
    x.pairs[1] = q;
    memcpy(&y, &x, sizeof y);
    x.pairs[1].first = 9;
    //@ PROVED      y.pairs[1].first == 2 && y.pairs[0].second == 0 && y.s == 0
    int n = __VERIFIER_nondet_int();
    struct pair z = n ? p : q;
    //@ PROVED      z.first == 1 || z.first == 2
    //@ RESIDUAL!   z.first == 1
    char text[8];
    strcpy(text, "seven");
    //@ PROVED      text[5] == 0
    return 0;
}
