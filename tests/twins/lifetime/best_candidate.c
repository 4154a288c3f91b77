// Finds the best of several candidates and changes it afterwards.
extern int __VERIFIER_nondet_int(void);

struct candidate {
    int score, votes;
};

static struct candidate pool[8];

int main(void) {
    struct candidate nobody = {0, 0}, *best = &nobody;
    for (int i = 0; i < 8; i++) {
#ifdef BROKEN
        struct candidate c = {__VERIFIER_nondet_int(), 1};
        if (c.score > best->score) best = &c; // fails: lifetime
#else
        struct candidate *c = &pool[i];
        c->score = __VERIFIER_nondet_int();
        c->votes = 1;
        if (c->score > best->score) best = c;
#endif
    }
    best->votes++; // fails: lifetime
    return best == &nobody;
}
