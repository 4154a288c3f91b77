// A record with a name of limited length.
#include <string.h>
#define LENGTH 8
extern int __VERIFIER_nondet_int(void);

struct record {
    int id;
    char name[LENGTH];
};

static void set_name(struct record *r, const char *name) {
#ifdef BROKEN
    strncpy(r->name, name, LENGTH);
#else
    strncpy(r->name, name, LENGTH - 1);
    r->name[LENGTH - 1] = '\0';
#endif
}

int main(void) {
    static const char *const towns[] = {"Ravenna", "Venice", "Thessaloniki", "Monreale", "Ostia"};
    struct record r = {1, ""};
    int which = __VERIFIER_nondet_int();
    if (which < 0 || which > 4) return 1;
    set_name(&r, towns[which]);
    size_t length = strlen(r.name); // fails: bounds
    return length == 0;
}
