// smalti: --stages domains --stack relation/partition/octagon
/* A slot is freed while it may be the parent of others. */
struct slot { int flag; int parent; };
struct slot t[4];
int main(void) {
    for (int i = 0; i < 4; i++) { t[i].flag = 0; t[i].parent = 0; }
    t[2].flag = 1;
    t[2].parent = 2;
    while (__VERIFIER_nondet_int()) {
        int p = __VERIFIER_nondet_int();
        int c = __VERIFIER_nondet_int();
        if (p < 0 || p >= 4 || c < 0 || c >= 4) continue;
        if (t[p].flag > 0) {
            if (t[c].flag == 0) {
                t[c].parent = p;
                t[c].flag = 1;
            } else {
                t[c].flag = 0;
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        if (t[k].flag > 0) {
            int p = t[k].parent;
            //@ RESIDUAL!   t[p].flag > 0
        }
    }
    return 0;
}
