// smalti: --stages run,domains --stack values --checks bounds,assertion
// Functions of <ctype.h>, and the macros of glibc, in the locale "C".
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c < -1 || c > 127) return 0;
    int low = tolower(c), high = toupper(c);
    //@ PROVED      low >= -1 && low <= 127 && high >= -1 && high <= 127
    //@ RESIDUAL!   low == c
    static int digits[10];
    if (isdigit(c)) digits[c % 10]++;                                           //@ PROVED bounds
    //@ PROVED      isdigit('7') && !isdigit('x') && isspace('\n') && !isspace('n')
    //@ PROVED      isalpha('g') && isupper('G') && !isupper('g') && isxdigit('f') && ispunct('.')
    return 0;
}
