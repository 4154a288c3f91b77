// Reads points "x,y" from a text; a point that is malformed leaves its coordinates alone.
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

struct point {
    int x, y;
};

static bool digit(char c, int *value) {
    if (c < '0' || c > '9') return false;
    *value = c - '0';
    return true;
}

static bool parse_point(const char *text, struct point *p) {
    int x, y;
    if (!digit(text[0], &x) || text[1] != ',' || !digit(text[2], &y)) return false;
    p->x = x;
    p->y = y;
    return true;
}

int main(void) {
    char text[4];
    for (int i = 0; i < 3; i++) text[i] = __VERIFIER_nondet_char();
    text[3] = '\0';

    struct point p;
#ifdef BROKEN
    parse_point(text, &p);
#else
    if (!parse_point(text, &p)) return 1;
#endif
    int distance = p.x + p.y; // fails: initialised
    return distance > 9;
}
