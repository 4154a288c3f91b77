// A request with optional fields; a set of bits says which of them were given.
extern int __VERIFIER_nondet_int(void);

enum { HAS_LIMIT = 1, HAS_OFFSET = 2, HAS_ORDER = 4 };

struct request {
    unsigned given;
    int limit, offset;
    char order;
};

static void receive(struct request *r) {
    r->given = 0;
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count && i < 8; i++) {
        int value = __VERIFIER_nondet_int();
        switch (__VERIFIER_nondet_int()) {
        case 0:
            r->given |= HAS_LIMIT;
            r->limit = value;
            break;
        case 1:
            r->given |= HAS_OFFSET;
            r->offset = value;
            break;
        case 2:
            r->given |= HAS_ORDER;
            r->order = value < 0 ? 'd' : 'a';
            break;
        }
    }
}

int main(void) {
    struct request r;
    receive(&r);
    int first = 0, last = 100;
    if (r.given & HAS_OFFSET) first = r.offset;
#ifdef BROKEN
    if (r.given & (HAS_LIMIT | HAS_OFFSET))
#else
    if (r.given & HAS_LIMIT)
#endif
        last = r.limit; // fails: initialised
    if (first > last) return 1;
    if ((r.given & HAS_ORDER) && r.order == 'd') return 2;
    return 0;
}
