// Sorts people by one of several orders, chosen by a letter.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

struct person {
    const char *name;
    int age;
};

typedef int (*order)(const struct person *, const struct person *);

static int by_name(const struct person *a, const struct person *b) { return strcmp(a->name, b->name); }
static int by_age(const struct person *a, const struct person *b) { return a->age - b->age; }

static const struct {
    char letter;
    order compare;
} orders[] = {{'n', by_name}, {'a', by_age}};

static order order_for(char letter) {
    for (unsigned i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i].letter == letter) return orders[i].compare;
    return 0;
}

int main(void) {
    struct person people[] = {{"Ada", 36}, {"Blaise", 39}, {"Kurt", 71}, {"Emmy", 53}};
    order compare = order_for(__VERIFIER_nondet_char());
#ifndef BROKEN
    if (!compare) compare = by_name;
#endif
    for (int i = 1; i < 4; i++)
        for (int k = i; k > 0 && compare(&people[k], &people[k - 1]) < 0; k--) { // fails: calls
            struct person p = people[k];
            people[k] = people[k - 1];
            people[k - 1] = p;
        }
    return people[0].age;
}
