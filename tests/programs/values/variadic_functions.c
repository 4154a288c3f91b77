// smalti: --stages run,domains --stack values --checks bounds,assertion
// Functions that take variable arguments are followed; such an argument is any value.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int counts[10], calls;

static void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    exit(1);
}

static int sum(int count, ...) {
    int all = 0;
    va_list list;
    va_start(list, count);
    for (int n = 0; n < count; n++) all = va_arg(list, int);
    va_end(list);
    calls++;
    return all;
}

static void set(int count, ...) {
    va_list list;
    va_start(list, count);
    int *target = va_arg(list, int *);
    *target = 7;
    va_end(list);
}

int main(int argc, char **argv) {
    int n = argc, other = 5, *p = 0;
    (void)argv;
    if (argc > 2) p = &n;
    if (p == 0) fail("%d arguments are missing", 3);
    if (*p > 9) fail("too many: %d", *p);           //@ PROVED bounds
    counts[n] = 1;                                  //@ PROVED bounds
    int total = sum(2, 3, 4);
    //@ PROVED      calls == 1
    //@ RESIDUAL    total == 4
    //@ RESIDUAL!   total == 3
    set(1, &other);
    //@ RESIDUAL!   other == 5
    //@ PROVED      calls == 1
    return 0;
}
