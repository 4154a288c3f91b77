// smalti: --stages summary --checks assertion
// Near misses: strings, digits, and characters with a sign.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 300) return 0;
    char text[n + 1], copy[n + 1];
    int length = 0, blanks = 0, marked = 0;
    for (int i = 0; i < n; i++) {
        char c = __VERIFIER_nondet_char();
        text[i] = c == 0 ? ' ' : c;
    }
    text[n] = 0;
    while (text[length] != 0) length++;
    __VERIFIER_assert(length == n);      //@ PROVED
    //@ RESIDUAL! length == n + 1  the zero does not count
    int i = 0;
    do {
        copy[i] = text[i];
        i++;
    } while (i < n);
    copy[n] = 'x';
    __VERIFIER_assert(copy[n - 1] == text[n - 1]);      //@ PROVED
    //@ RESIDUAL! copy[n] == text[n]  the zero is not copied
    for (int k = 0; k < n; k++) blanks += text[k] == ' ';
    for (int k = 0; k < n; k++)
        if (text[k] == ' ') text[k] = '_';
    for (int k = 0; k < n; k++) marked += text[k] == '_';
    __VERIFIER_assert(marked >= blanks);      //@ PROVED
    //@ RESIDUAL! marked > blanks  there need not be others
    for (int k = 0; k < n; k++) {
        __VERIFIER_assert(text[k] != ' ');      //@ PROVED
        //@ RESIDUAL! text[k] != 'd'  another character
        //@ RESIDUAL! text[k] > 0  it has a sign
    }
    unsigned char turns = 0;
    for (int k = 0; k < n; k++) turns += 64;
    __VERIFIER_assert(turns % 64 == 0);      //@ PROVED
    //@ RESIDUAL! turns == 64 * n  it wraps
    //@ RESIDUAL! turns >= 64  it may be zero
    return 0;
}
