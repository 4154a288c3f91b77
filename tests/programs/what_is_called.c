// smalti: --stages domains --checks calls
/* What is called through a pointer must be a function of the pointer's type. */
#include <stddef.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

typedef int (*operation)(int);

static int twice(int n) { return 2 * (n & 15); }
static int same(int n) { return n; }
static int both(int a, int b) { return a < b; }
static int follows(const int *p) { return *p; }
static void nothing(void) {}

/* Some places of the table are empty. */
static const operation table[4] = {twice, NULL, same};

static void places_of_a_table(void) {
    int i = __VERIFIER_nondet_int() & 3;
    if (table[i]) table[i](1); //@ PROVED calls
    if (i == 0 || i == 2) table[i](2); //@ PROVED calls
    if (i != 1) table[i](3); //@ RESIDUAL! calls
}

static int apply(operation f, int n) {
    return f(n); //@ PROVED calls
}

static void handed_on(void) {
    apply(twice, 1);
    apply(same, 2);
}

static int apply_if(operation f, int n) {
    return f(n); //@ RESIDUAL! calls
}

static void handed_on_or_not(void) {
    apply_if(__VERIFIER_nondet_int() > 0 ? twice : NULL, 1);
}

/* The number of arguments and their types count. */
static void of_other_types(void) {
    operation f = (operation)both;
    if (__VERIFIER_nondet_int() == 1) f(1); //@ RESIDUAL! calls
    f = (operation)follows;
    if (__VERIFIER_nondet_int() == 2) f(1); //@ RESIDUAL! calls
    f = (operation)nothing;
    if (__VERIFIER_nondet_int() == 3) f(1); //@ RESIDUAL! calls
    f = (operation)(void (*)(void))same;
    f(1); //@ PROVED calls
}

/* So do promoted parameters, further arguments, what functions take that are handed on, and the
   types of functions of the library. */
static float rounded(x) float x; { return x; }
static int first_of(int n, ...) { return n; }
static int handed(int (*f)(int)) { return f != 0; }
static int none() { return 0; }

static void of_other_functions(void) {
    float (*p)(float) = (float (*)(float))rounded;
    if (__VERIFIER_nondet_int() == 1) p(1.0f); //@ RESIDUAL! calls
    int (*q)(int, int) = (int (*)(int, int))first_of;
    if (__VERIFIER_nondet_int() == 2) q(1, 2); //@ RESIDUAL! calls
    int (*r)(int (*)(void)) = (int (*)(int (*)(void)))handed;
    if (__VERIFIER_nondet_int() == 3) r(0); //@ RESIDUAL! calls
    size_t (*s)(void) = (size_t (*)(void))strlen;
    if (__VERIFIER_nondet_int() == 4) s(); //@ RESIDUAL! calls
    int (*t)(int, ...) = first_of, (*u)(int (*)(int)) = handed, (*v)(void) = none, (*w)() = none;
    size_t (*x)(const char *) = strlen;
    t(1, 2); //@ PROVED calls
    u(same); //@ PROVED calls
    v(); //@ PROVED calls
    w(); //@ PROVED calls
    x("text"); //@ PROVED calls
}

static int data[2];

static void no_function(void) {
    operation f = (operation)(void *)data;
    if (__VERIFIER_nondet_int() == 1) f(1); //@ RESIDUAL! calls
    f = (operation)(void *)(unsigned long)__VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int() == 2) f(1); //@ RESIDUAL! calls
}

int main(void) {
    places_of_a_table();
    handed_on();
    handed_on_or_not();
    of_other_types();
    of_other_functions();
    no_function();
    return 0;
}
