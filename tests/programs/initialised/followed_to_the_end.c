// smalti: --stages run,unwind --checks initialised
// What the value analysis cannot tell of loops and conditions: all runs are followed to their end.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a, b;
};

struct packed {
    unsigned low : 3, high : 5;
    char tail;
};

struct list {
    int value;
    struct list *next;
};

static bool parse(int code, struct pair *to)
{
    if (code < 100)
        return false;
    to->a = code / 10;
    if (code % 2)
        return false;
    to->b = code % 10;
    return true;
}

static struct pair half(int n)
{
    struct pair p;
    p.a = n;
    if (n > 3)
        p.b = 1;
    return p;
}

static int second(struct pair p, int n)
{
    return n > 3 ? p.b : p.a; //@ PROVED initialised   both, by the same condition
}

static int deep(int n, int *out)
{
    int below;
    if (n <= 0)
        return 0;
    if (deep(n - 1, &below))
        *out = below + 1; //@ PROVED initialised   a call with another `below` has written it
    else
        *out = n;
    return 1;
}

static struct list *push(struct list *list, int value)
{
    struct list *new = malloc(sizeof *new);
    if (!new)
        return list;
    new->next = list;
    if (value & 1)
        new->value = value;
    return new;
}

int main(void)
{
    int code = __VERIFIER_nondet_int(), sum = 0;
    struct pair p;
    if (parse(code, &p))
        sum += p.a + p.b; //@ PROVED initialised
    if (code > -5 && code < 5) {
        struct pair q = half(code), copy, other;
        sum += second(q, code);
        copy = code == 4 ? q : p;
        if (code == 4)
            sum += copy.b; //@ PROVED initialised   a copy of what has it
        memcpy(&other, &q, sizeof other);
        if (code == 4)
            sum += other.b; //@ PROVED initialised
    }
    int table[5], filled = 0;
    for (int i = 0; i < 5; i++)
        if (__VERIFIER_nondet_int())
            table[filled++] = i;
    for (int i = 0; i < filled; i++)
        sum += table[i]; //@ PROVED initialised   as many as there are
    struct list *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, i);
    int odd = 3;
    for (struct list *l = list; l; l = l->next) { //@ PROVED initialised
        if (odd & 1 && list->next)
            sum += l == list ? l->value : 0; //@ PROVED initialised   the first is odd
        odd--;
    }
    struct packed bits;
    if (code > 9) {
        memset(&bits, 0, sizeof bits);
        bits.low = 3;
    }
    if (code > 99)
        sum += bits.low + bits.high; //@ PROVED initialised   set as a whole
    for (int i = 0; i < 3; i++) {
        int out, again;
        if (deep(i, &out))
            sum += out; //@ PROVED initialised
        if (i >= 0)
            again = i;
        sum += again; //@ PROVED initialised   in each iteration
    }
    return sum;
}
