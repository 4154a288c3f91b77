// smalti: --stages summary --checks assertion
// Near misses: counters of fewer bits than what they count.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), wide = 0;
    if (n < 0 || n > 2000) return 0;
    unsigned char few = 0, marks[2000];
    unsigned short enough = 0;
    signed char sign = 0;
    for (int i = 0; i < n; i++) {
        few++;
        enough++;
    }
    for (int i = 0; i < 2 * n; i++) sign++;
    __VERIFIER_assert(few == n % 256);      //@ PROVED
    //@ RESIDUAL! few == n  it wraps at 256
    __VERIFIER_assert(enough == n);      //@ PROVED
    //@ RESIDUAL! enough == few  only one of them wraps
    __VERIFIER_assert(n > 63 || sign == 2 * n);      //@ PROVED
    //@ RESIDUAL! n > 127 || sign == 2 * n  one bit is the sign
    for (int i = 0; i < n; i++) marks[i] = i;
    for (int i = 0; i < n; i++) wide += marks[i] == i;
    __VERIFIER_assert(n > 256 || wide == n);      //@ PROVED
    //@ RESIDUAL! wide == n  a mark is a byte
    unsigned char sum = 0;
    wide = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char value = __VERIFIER_nondet_uchar();
        sum += value;
        wide += value;
    }
    __VERIFIER_assert((unsigned char)wide == sum);      //@ PROVED
    //@ RESIDUAL! wide == sum  only one of them wraps
    __VERIFIER_assert(wide <= 4 * 255);      //@ PROVED
    //@ RESIDUAL! wide <= 4 * 127  the bytes have no sign
    return 0;
}
