// A document whose title is replaced by a longer one.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct document {
    char *title;
    int revision;
};

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1); // fails: lifetime
    if (!copy) exit(1);
    return strcpy(copy, text);
}

static void set_title(struct document *d, const char *title) {
    char *old = d->title;
#ifdef BROKEN
    free(old);
    d->title = copy_of(title);
#else
    d->title = copy_of(title);
    free(old);
#endif
    d->revision++;
}

int main(void) {
    struct document d = {copy_of("untitled"), 0};
    set_title(&d, "notes");
    int n = __VERIFIER_nondet_int();
    if (n == 1) set_title(&d, "notes on mosaics");
    if (n == 2) set_title(&d, d.title + 1);
    int length = (int)strlen(d.title);
    free(d.title);
    return length;
}
