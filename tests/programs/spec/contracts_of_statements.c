// smalti: --stages run,domains,unwind --stack smash/octagon
/* A contract of a statement is claimed before it and where it ends; `\old` is about before. */
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0, a[2] = {1, 2};
    if (x < -50 || x > 50) return 0;
    /*@ requires x <= 50;               //@ PROVED
        ensures x == \old(x) + 1; */    //@ PROVED
    { x = x + 1; y = x; }
    /*@ check requires x <= 50; */      //@ VIOLATED
    x = x + 1;
    /*@ check ensures x == \old(x); */  //@ VIOLATED
    x = x + 2;
    /*@ behavior low: assumes x < 0; ensures y == 1;    //@ PROVED
        behavior high: assumes x >= 0; ensures y == 2;  //@ PROVED
        behavior all: ensures x == 0; */                //@ PROVED
    { if (x < 0) y = 1; else y = 2; x = 0; }
    /*@ check ensures y == 1; */        //@ VIOLATED
    y = 3;
    /*@ ensures z == x; */              //@ PROVED
    int z = x;
    while (z < 5) {
        /*@ ensures z == \old(z) + 1; */   //@ PROVED
        if (z != 3) z++; else break;
        /*@ invariant z <= 3; */            //@ PROVED
    }
    /*@ check z == 3; */                //@ PROVED
    /*@ admit ensures y < 9; */
    y = __VERIFIER_nondet_int();
    /*@ check y < 9; */                 //@ PROVED
    /*@ check y < 8; */                 //@ VIOLATED
    return 0;
}
