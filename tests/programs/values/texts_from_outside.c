// smalti: --stages domains --stack values --checks assertion,bounds
/* The arguments of main and the variables of the environment are texts, until something else is
   written there. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void unknown(char *text);

static int blanks(const char *s) {
    size_t n = 0;
    while (s[n] == ' ' || (s[n] >= '\t' && s[n] <= '\r')) n++; //@ PROVED bounds
    return s[n]; //@ PROVED bounds
}

static int is_equal(const char *a, const char *b) {
    while (*a != 0 && *b != 0 && *a == *b) a++, b++; //@ PROVED bounds
    return *a == *b; //@ PROVED bounds
}

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != 0) n++; //@ PROVED bounds
    return n;
}

static int reads_the_environment(void) {
    const char *text = getenv("HOME");
    if (text == NULL) return 0;
    return blanks(text) + is_equal(text, "/");
}

/* Where there is no such character, the result is null. */
static const char *find(const char *s, char c) {
    while (*s != 0 && *s != c) s++; //@ PROVED bounds
    if (*s == 0) return NULL; //@ PROVED bounds
    return s;
}

static size_t after(const char *s, char c) {
    const char *found = find(s, c);
    return found == NULL ? 0 : length(found + 1);
}

/* The end may be overwritten. */
static size_t length_of_written(const char *s) {
    size_t n = 0;
    while (s[n] != 0) n++; //@ RESIDUAL bounds
    return n;
}

static void writes_a_byte(char *text) {
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 100) return;
    if (length(text) > (size_t)k) text[k] = 'x'; //@ RESIDUAL bounds
    length_of_written(text);
}

/* A zero makes a text shorter. */
static void cuts(char *text) {
    text[0] = 0; //@ PROVED bounds
    length(text);
}

static int reads_what_unknown_code_left(char *text) {
    unknown(text);
    size_t n = 0;
    while (text[n] != 0) n++; //@ RESIDUAL bounds
    return n > 2;
}

int main(int argc, char **argv) {
    int sum = reads_the_environment();
    if (argc == 1) assert(argv[1] != NULL); //@ RESIDUAL!
    if (argc > 2) {
        char *first = argv[1];
        assert(first != NULL); //@ PROVED
        sum += is_equal(argv[1], "help") + blanks(argv[2]);
        const char *name = __VERIFIER_nondet_int() ? argv[1] : "nobody";
        sum += length(name) > 3;
        sum += after(name, '=') > 2;
        cuts(argv[0]);
        /* An element is replaced. */
        if (__VERIFIER_nondet_int()) argv[2] = NULL;
        assert(argv[2] != NULL); //@ RESIDUAL!
        if (sum > 5) writes_a_byte(first);
        sum += reads_what_unknown_code_left(first);
    }
    return sum;
}
