// Fills a region of a small picture.
#define W 4
#define H 3
extern int __VERIFIER_nondet_int(void);

static unsigned char picture[H][W];

static int fill(int x, int y, unsigned char from, unsigned char to) {
#ifdef BROKEN
    if (x < 0 || y < 0 || x > W || y > H) return 0;
#else
    if (x < 0 || y < 0 || x >= W || y >= H) return 0;
#endif
    if (picture[y][x] != from) return 0; // fails: bounds
    picture[y][x] = to;
    return 1 + fill(x + 1, y, from, to) + fill(x - 1, y, from, to) + fill(x, y + 1, from, to) +
           fill(x, y - 1, from, to);
}

int main(void) {
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) picture[y][x] = __VERIFIER_nondet_int() > 0;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || x >= W || y < 0 || y >= H) return 1;
    return fill(x, y, picture[y][x], 2) > 6;
}
