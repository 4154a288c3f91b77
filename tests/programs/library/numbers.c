// smalti: --stages run,domains --stack values --checks bounds,assertion
// Numbers in texts.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[] = " -42xyz", *end;
    long number = strtol(text, &end, 10);
    //@ PROVED      number == -42 && end == text + 4
    number = strtol("0xg", &end, 0);
    //@ PROVED      number == 0 && *end == 'x'
    number = strtol(text + 4, &end, 10);
    //@ PROVED      number == 0 && end == text + 4
    //@ PROVED      strtol("0x1f", 0, 0) == 31 && strtol("077", 0, 0) == 63
    //@ PROVED      strtol("zz", 0, 36) == 1295
    //@ PROVED      strtol("99999999999999999999", 0, 10) == 9223372036854775807
    //@ PROVED      strtoll("-99999999999999999999", 0, 10) == -9223372036854775807 - 1
    //@ PROVED      strtoul("-1", 0, 10) == -1ul && strtoull("18446744073709551616", 0, 10) == -1ull
    //@ PROVED      atoi("\t+17 8") == 17 && atoi("-2147483648") == -2147483647 - 1
    //@ PROVED      atol("12") == 12 && atoll("-3") == -3 && atoi("x") == 0
    //@ RESIDUAL    atoi("2147483648") < 0        undefined, so any value
    //@ RESIDUAL    atol("9223372036854775808") > 0
    //@ RESIDUAL    strtol("0b11", 0, 0) == 0     3 since C23
    //@ RESIDUAL    strtol("7", 0, 1) == 0        not a base

    char digits[4];
    for (int i = 0; i < 3; i++) digits[i] = (char)__VERIFIER_nondet_int();
    digits[3] = 0;
    int n = atoi(digits);
    //@ PROVED      n >= -999 && n <= 999
    //@ RESIDUAL    n >= 0
    number = strtol(digits, &end, 10);
    //@ PROVED      end >= digits && end <= digits + 3
    //@ RESIDUAL!   *end == 0
    return 0;
}
