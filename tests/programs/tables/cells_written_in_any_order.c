// smalti: --stages domains --stack relation/partition/octagon --function scatter --checks assertion,bounds
/* Writes in any order, of values that are not negative, and a sentinel at the end that no write reaches. */
#define CELLS 48
struct cell { int count; int key; };
struct cell cells[CELLS];
extern int __VERIFIER_nondet_int(void);
static int at_least_zero(void) {
    int v = __VERIFIER_nondet_int();
    return v < 0 ? 0 : v;
}
static int clamped(int k) {
    if (k < 0) k = 0;
    if (k > CELLS - 2) k = CELLS - 2;
    return k;
}
/*@ ensures \forall integer k; 0 <= k < CELLS ==> cells[k].count >= 0; */     //@ PROVED
/*@ ensures \forall integer k; 0 <= k < CELLS ==> cells[k].count == 0; */     //@ RESIDUAL!
void scatter(int times) {
    for (int k = 0; k < CELLS; k++) {
        cells[k].count = 0;
    }
    cells[CELLS - 1].count = 99;
    for (int n = 0; n < times; n++) {
        int k = clamped(__VERIFIER_nondet_int());
        cells[k].count = at_least_zero();           //@ PROVED bounds
    }
    /*@ check cells[CELLS - 1].count == 99; */      //@ PROVED
    for (int round = 0; round < 5; round++) {
        for (int k = 1; k < CELLS; k++) {
            cells[k].count = at_least_zero();       //@ PROVED bounds
        }
        /*@ check cells[CELLS - 1].count == 99; */  //@ RESIDUAL!
    }
    /*@ check cells[4].count >= 0; */               //@ PROVED
}
int main(void) { return 0; }
