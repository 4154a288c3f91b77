// smalti: --stack values --stages domains --checks bounds,assertion
// Where a text ends at a place that is not known, each place is taken on its own.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[17], from[16], wide[20];
    for (int i = 0; i < 16; i++) from[i] = (char)__VERIFIER_nondet_int();
    unsigned n = __VERIFIER_nondet_int();
    if (n > 16) return 0;
    memcpy(text, from, n);
    text[n] = 0;
    unsigned long length = strlen(text);
    //@ PROVED      length <= n
    //@ RESIDUAL!   length == n
    strcpy(wide, text);
    return 0;
}
