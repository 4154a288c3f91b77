// smalti: --stages domains,unwind --function count
// smalti: --stages domains,unwind --function count --stack smash/octagon
/* The precondition is assumed only for the first call. */
/*@ requires 0 < n < 4;          */    //@ RESIDUAL!
/*@ ensures \result == 1;        */    //@ PROVED
int count(int n) {
    if (n == 1) return 1;
    return count(n - 2);
}
int main(void) { return 0; }
