// smalti: --stages domains --stack values --checks assertion,bounds,overflow,lifetime,initialised
/* What cells hold may depend on what another cell holds. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int a[10];

static void flags(void) {
    int open = 0, *p = NULL, n = 0;
    if (__VERIFIER_nondet_int() > 0) {
        open = 1;
        p = a;
        n = 10;
    }
    if (open) {
        *p = 1; //@ PROVED bounds
        assert(n == 10); //@ PROVED
    } else {
        assert(n == 0); //@ PROVED
        assert(p == NULL); //@ PROVED
    }
    assert(n == 10); //@ RESIDUAL!
}

/* The other way round: what a cell holds tells the case. */
static void known_by_others(void) {
    int kind = 3, *p = a + 3;
    if (__VERIFIER_nondet_int() > 0) {
        kind = 5;
        p = NULL;
    }
    if (p) assert(kind == 3); //@ PROVED
    if (!p) assert(kind == 5); //@ PROVED
    if (kind == 5) assert(!p); //@ PROVED
    if (kind == 5) assert(p != NULL); //@ RESIDUAL!
}

/* A condition as a value. */
static void kept_conditions(void) {
    int n = __VERIFIER_nondet_int(), is_index = n >= 0 && n < 10;
    if (is_index) a[n] = 1; //@ PROVED bounds
    int is_known = n != 3 ? 1 : 0;
    if (!is_known) assert(n == 3); //@ PROVED
    if (is_index) {
        n++;
        a[n] = 1; //@ RESIDUAL! bounds
    }
}

enum state { CLOSED, OPEN, FAILED };

struct channel {
    enum state state;
    char *bytes;
    int used;
};

static void open_it(struct channel *c) {
    if (c->state == OPEN) return;
    c->bytes = malloc(8);
    c->state = c->bytes ? OPEN : CLOSED;
    c->used = 0;
}

static void close_it(struct channel *c, enum state state) {
    if (c->state == OPEN) free(c->bytes); //@ PROVED lifetime
    c->state = state;
}

static void a_block_in_one_state(void) {
    struct channel c = {CLOSED, NULL, 0};
    int n = 0;
    while (__VERIFIER_nondet_int() > 0 && n++ < 50) {
        int event = __VERIFIER_nondet_int();
        if (event == 1) open_it(&c);
        else if (event == 2) close_it(&c, CLOSED);
        else if (event == 3) close_it(&c, FAILED);
        else if (c.state == OPEN && c.used < 8) c.bytes[c.used++] = 1; //@ PROVED lifetime
    }
    close_it(&c, CLOSED);
}

static void a_block_in_two_states(void) {
    struct channel c = {CLOSED, NULL, 0};
    int n = 0;
    while (__VERIFIER_nondet_int() > 0 && n++ < 50) {
        int event = __VERIFIER_nondet_int();
        if (event == 1) open_it(&c);
        else if (event == 2) close_it(&c, FAILED);
        else if (c.state != CLOSED && c.used < 8) c.bytes[c.used++] = 1; //@ RESIDUAL! lifetime
    }
}

/* The result says whether there is a value. */
static int take(int *n) {
    int input = __VERIFIER_nondet_int();
    if (input < 0) return -1;
    *n = input % 10;
    return 0;
}

static void results_and_values(void) {
    int n, m, error = take(&n), other = 0;
    if (__VERIFIER_nondet_int()) other = 2;
    if (error == 0) a[n] = other; //@ PROVED initialised
    int status = take(&m);
    if (other == 2) status = 0;
    if (status == 0) a[n] = m; //@ RESIDUAL! initialised
}

/* After a write to the guard, or to the cell, nothing follows. */
static void changed_meanwhile(void) {
    int kind = 0, n = 0, *p = &kind;
    if (__VERIFIER_nondet_int() > 0) {
        kind = 1;
        n = 7;
    }
    if (__VERIFIER_nondet_int() > 0) *p = 1;
    if (kind == 1) assert(n == 7); //@ RESIDUAL!
    int which = 0, value = 0, *q = __VERIFIER_nondet_int() ? &value : &n;
    if (__VERIFIER_nondet_int() > 0) {
        which = 1;
        value = 7;
    }
    *q = 8;
    if (which == 1) assert(value == 7); //@ RESIDUAL!
}

/* The same bits are two numbers. */
static void signs(void) {
    int n = 0, kind = 0;
    unsigned *natural = (unsigned *)&kind;
    if (__VERIFIER_nondet_int() > 0) {
        *natural = 4294967295u;
        n = 5;
    } else if (__VERIFIER_nondet_int() > 0) {
        kind = -1;
        n = 6;
    }
    if (kind == -1) assert(n == 5); //@ RESIDUAL!
    if (*natural == 4294967295u) assert(n == 6); //@ RESIDUAL!
    if (kind == 0) assert(n == 0); //@ PROVED
}

/* From one iteration to the next. */
static void before_and_after(void) {
    int found = 0, at = 0;
    for (int i = 0; i < 1000; i++) {
        if (found) assert(a[at] < 100 || at < 10); //@ PROVED
        if (__VERIFIER_nondet_int() == i && i < 10) {
            found = 1;
            at = i;
        }
    }
    int last = 0, sum = 3;
    for (int i = 0; i < 1000; i++) {
        if (last == 1) assert(sum == 3); //@ RESIDUAL!
        last = __VERIFIER_nondet_int() > 0;
        if (last && sum < 100) sum += 1;
    }
}

/* Whether something is left of a division tells whether the divisor is 1. */
static void rounded_up(void) {
    int lines = __VERIFIER_nondet_int(), per_page = __VERIFIER_nondet_int();
    if (lines < 1 || per_page < 1) return;
    int pages = lines / per_page, more = pages;
    if (lines % per_page != 0) pages++; //@ PROVED overflow
    if (lines % per_page == 0)
        more++; //@ RESIDUAL! overflow
}

int main(void) {
    flags();
    known_by_others();
    kept_conditions();
    a_block_in_one_state();
    a_block_in_two_states();
    results_and_values();
    changed_meanwhile();
    signs();
    before_and_after();
    rounded_up();
    return 0;
}
