// smalti: --stages domains --stack values --checks assertion,bounds
/* An index that is less than the number of arguments leads to one of them. */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int is_option(const char *text) {
    return text[0] == '-' && text[1] != 0; //@ PROVED bounds
}

static int counts(int number, char **list) {
    int found = 0;
    for (int i = 1; i < number; i++) {
        assert(list[i] != NULL); //@ PROVED
        found |= is_option(list[i]); //@ PROVED bounds
    }
    return found;
}

static int one_too_many(int number, char **list) {
    int found = 0;
    for (int i = 1; i <= number; i++) {
        if (list[i]) found = 1; //@ PROVED bounds
        assert(list[i] != NULL); //@ RESIDUAL!
    }
    return found;
}

static void two_too_many(int number, char **list) {
    for (int i = 1; i <= number + 1; i++)
        if (i == number + 1 && list[i]) return; //@ RESIDUAL! bounds
}

static int from_the_end(int number, char **list) {
    int found = 0, last = number - 1;
    for (int i = last; i > 0; i--) found |= is_option(list[i]); //@ PROVED bounds
    return found;
}

static int moves(int number, char **list) {
    int k = 1, found = 0;
    while (k < number) {
        int next = k + 1;
        if (next < number) found |= is_option(list[next]); //@ PROVED bounds
        assert(list[next] != NULL); //@ RESIDUAL!
        k = next;
    }
    return found;
}

static int before_the_first(int number, char **list) {
    int k = __VERIFIER_nondet_int();
    if (k < -1 || k >= number) return 0;
    return list[k] != NULL; //@ RESIDUAL bounds
}

static void removes(int number, char **list) {
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= number) return;
    list[k] = NULL; //@ PROVED bounds
    for (int i = 0; i < number; i++) assert(list[i] != NULL); //@ RESIDUAL!
}

int main(int argc, char **argv) {
    int k = 1, sum = 0;
    while (k < argc && argv[k][0] == '-') k++; //@ PROVED bounds
    sum += counts(argc, argv) + from_the_end(argc, argv);
    if (__VERIFIER_nondet_int()) sum += one_too_many(argc, argv);
    if (__VERIFIER_nondet_int()) sum += moves(argc, argv);
    if (__VERIFIER_nondet_int()) two_too_many(argc, argv);
    if (__VERIFIER_nondet_int()) sum += before_the_first(argc, argv);
    removes(argc, argv);
    return sum;
}
