// smalti: --stages domains --stack relation/partition/octagon --checks assertion,bounds
/* Slots are taken in any order; the parent of a slot in use is a slot in use. */
struct slot { int flag; int parent; };
struct slot t[24];
int main(void) {
    for (int i = 0; i < 24; i++) { t[i].flag = 0; t[i].parent = 0; }
    t[2].flag = 1;
    t[2].parent = 2;
    while (__VERIFIER_nondet_int()) {
        int p = __VERIFIER_nondet_int();
        int c = __VERIFIER_nondet_int();
        if (p < 0 || p >= 24 || c < 0 || c >= 24) continue;
        if (t[p].flag > 0) {
            if (t[c].flag == 0) {
                t[c].parent = p;
                t[c].flag = 1;
            }
        }
    }
    for (int k = 0; k < 24; k++) {
        if (t[k].flag > 0) {
            int p = t[k].parent;
            //@ PROVED      t[p].flag > 0
            //@ PROVED      t[t[p].parent].flag > 0
            //@ RESIDUAL!   p == 2
        }
    }
    return 0;
}
