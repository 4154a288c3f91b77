// smalti: --stages run,domains,unwind --stack smash/octagon
/* `check` claims and is not relied on; `admit` is taken for granted and not claimed. */
int n;
/*@ check requires x > 0; */       //@ VIOLATED
/*@ check ensures \result > 1; */  //@ VIOLATED
int plain(int x) {
    /*@ check x > 0; */            //@ VIOLATED
    return x + 1;
}
/*@ admit requires x > 0; */
/*@ admit ensures \result > 5; */
int granted(int x) {
    /*@ check x > 0; */            //@ PROVED
    /*@ check x > 1; */            //@ RESIDUAL!
    return x + n;
}
int main(void) {
    int i = 0, j = 0, x = __VERIFIER_nondet_int();
    n = __VERIFIER_nondet_int();
    if (-5 < x && x < 5) {
        int y = plain(x);
        /*@ check y > 1; */        //@ VIOLATED
    }
    if (-50 < n && n < 50 && x < 100) {
        int y = granted(x);
        /*@ check y > 5; */        //@ PROVED
        /*@ check y > 6; */        //@ RESIDUAL!
    }
    /*@ check loop invariant i <= 3; */  // It fails at the end of an iteration.
    while (i < 10) i++;
    /*@ check i == 10; */          //@ PROVED
    /*@ admit loop invariant j <= 20; */
    while (j < __VERIFIER_nondet_int()) {
        /*@ check j <= 20; */      //@ PROVED
        /*@ check j <= 19; */      //@ RESIDUAL!
        j++;
    }
    return 0;
}
