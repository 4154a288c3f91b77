// smalti: --stages domains --stack relation/partition/octagon --function clear --checks assertion,bounds
/* One field of every record is set. */
#define CELLS 48
struct cell { int count; int key; };
struct cell cells[CELLS];
extern int __VERIFIER_nondet_int(void);
/*@ requires 0 <= any < CELLS; */
/*@ ensures \forall integer k; 0 <= k < CELLS ==> cells[k].count == 0; */     //@ PROVED
/*@ ensures \forall integer k; 0 <= k < CELLS ==> cells[k].key == 0; */       //@ RESIDUAL!
int clear(int any) {
    for (int k = 0; k < CELLS; k++) {
        cells[k].count = 0;                         //@ PROVED bounds
    }
    /*@ check cells[any].count == 0; */             //@ PROVED
    return cells[any].count;
}
int main(void) { return 0; }
