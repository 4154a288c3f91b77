// Looks numbers up in a table of settings.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static const struct {
    const char *name;
    int value;
} settings[] = {{"width", 80}, {"height", 24}, {"tab", 8}, {"colour", 1}};

static int lookup(const char *name, int *value) {
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, name) == 0) {
            *value = settings[i].value;
            return 0;
        }
    return -1;
}

int main(void) {
    static const char *const names[] = {"width", "tab", "wrap", "colour"};
    int which = __VERIFIER_nondet_int();
    if (which < 0 || which > 3) return 1;
    int columns;
    int status = lookup(names[which], &columns);
#ifdef BROKEN
    if (status > 0) columns = 72;
#else
    if (status != 0) columns = 72;
#endif
    if (columns < 1) return 2; // fails: initialised
    return 0;
}
