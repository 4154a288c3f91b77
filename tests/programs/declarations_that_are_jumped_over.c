// smalti: --time-limit 20
// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages shrink
// smalti: --stages refine
// An object whose declaration is jumped over may hold anything, not what it held before.
int main(void)
{
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++) {
        if (i)
            goto skip;
        int z, *q;
        q = &z;
        *q = 5;
        if (i == 0)
            continue;
    skip:
        if (k > 7) {
            //@ RESIDUAL! z == 5   that of the iteration before has ended
            k = 8;
        }
    }
    for (int i = 0; i < 3; i++) {
        switch (i) {
            int y;
        case 0:
            y = 3;
            break;
        case 1:
            //@ RESIDUAL! y == 3
            y = 4;
        default:
            //@ RESIDUAL! y == 4
            k = 1;
        }
    }
    return 0;
}
