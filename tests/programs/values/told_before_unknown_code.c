// smalti: --stages domains --stack values
// What a condition tells of an element at an unknown place ends where code without a body runs,
// whether or not something else is known of the array.
extern int __VERIFIER_nondet_int(void);
extern void tzset(void);

int table[10], *kept = table;

int main(void)
{
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 9) return 1;
    tzset();
    if (table[k] == 5) {
        //@ PROVED     table[k] == 5
        tzset();
        //@ RESIDUAL   table[k] == 5     the code may write it
    }
    return 0;
}
