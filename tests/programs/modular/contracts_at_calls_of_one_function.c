// smalti: --stages domains,unwind --stack smash/octagon --function k --checks assertion
/* Of a function that is analysed alone, calls of functions without a body have the obligations of
   their contracts. */
int g;
/*@ requires y > 5; */              //@ RESIDUAL!
/*@ assigns g; */
/*@ ensures g > y; */
void high(int y);
/*@ requires y > 5; */              //@ PROVED
/*@ assigns \nothing; */
void low(int y);
/*@ frees p; */                     //@ RESIDUAL!
/*@ assigns \nothing; */
void drop(int *p);
int k(int *p) {
    low(6);
    drop(p);
    high(3);
    /*@ check g > 3; */             //@ UNREACHABLE  the precondition of `high` fails
    return 0;
}
int main(void) { return 0; }
