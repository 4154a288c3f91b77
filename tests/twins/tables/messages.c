// Decodes messages by their type; the table knows how long each must be at least.
#define MOST 8
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct buffer {
    const unsigned char *bytes;
    unsigned length;
};

static unsigned ping(struct buffer b) { return b.length; }
static unsigned colour(struct buffer b) {
    return (unsigned)b.bytes[1] << 16 | (unsigned)b.bytes[2] << 8 | b.bytes[3]; // fails: initialised
}
static unsigned level(struct buffer b) { return b.bytes[1] > 100 ? 100 : b.bytes[1]; }

static const struct {
    unsigned least;
    unsigned (*decode)(struct buffer);
} types[] = {{1, ping}, {4, colour}, {2, level}};

int main(void) {
    unsigned char bytes[MOST];
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > MOST) return 1;
    for (int i = 0; i < length; i++) bytes[i] = __VERIFIER_nondet_uchar();
    struct buffer b = {bytes, (unsigned)length};
    unsigned type = bytes[0];
    if (type >= sizeof types / sizeof types[0]) return 2;
#ifdef BROKEN
    if (b.length < 2) return 3;
#else
    if (b.length < types[type].least) return 3;
#endif
    return types[type].decode(b) > 50;
}
