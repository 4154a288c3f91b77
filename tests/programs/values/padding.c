// smalti: --stack values --stages domains
// Nothing is known of the bytes between members once an object got a value as a whole, nor in a
// local object that an initialiser has written. Objects that last for the whole run begin as zero.
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, unsigned long);
struct in { short s; unsigned char c; int v[2]; };
struct out { struct in in; long last; };
static struct in first, all[3];
static struct out outs[4];
static unsigned char bytes[32];

static struct in made(int a) {
    struct in r = {(short)a, 1, {a, 2}};
    return r;
}

int main(void) {
    memcpy(bytes, &first, sizeof first);
    //@ PROVED      bytes[3] == 0
    struct in local = {1, 2, {3, 4}};
    memcpy(bytes, &local, sizeof local);
    //@ PROVED      bytes[2] == 2
    //@ RESIDUAL    bytes[3] == 0
    first = local;
    memcpy(bytes + 8, &first, sizeof first);
    //@ PROVED      bytes[10] == 2
    //@ RESIDUAL    bytes[11] == 0
    outs[3].in = made(7);
    memcpy(bytes + 16, outs + 3, 4);
    //@ PROVED      bytes[16] == 7 && bytes[18] == 1
    //@ RESIDUAL    bytes[19] == 0
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2) return 0;
    all[n] = local;
    memcpy(bytes, all + 1, 4);
    //@ RESIDUAL    bytes[3] == 0
    //@ PROVED      all[0].s <= 1
    return 0;
}
