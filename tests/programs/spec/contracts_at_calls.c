// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains,unwind --stack smash/octagon
/* A precondition is proved at each call, a postcondition at each return. */
int count;
/*@ requires 0 <= x <= 100;   */   //@ PROVED
/*@ ensures \result == x + 1; */   //@ PROVED
/*@ ensures count == \old(count) + 1; */   //@ PROVED
int next(int x) { x = x + 1; count++; return x; }
/*@ requires x != 0; */            //@ RESIDUAL!
int inverse(int x) { return 100 / x; }
int main(void) {
    int y = next(next(3));
    /*@ assert y == 5; */          //@ PROVED
    int z = __VERIFIER_nondet_int();
    if (z >= 0) inverse(z);
    return 0;
}
