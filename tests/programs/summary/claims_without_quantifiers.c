// smalti: --stages summary --checks assertion
// Claims of annotations count as assertions where they have no quantifiers. What is asserted holds
// from there on; what is only checked does not.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), which = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    int sum = 0, odd = 0;
    for (int i = 0; i < n; i++) {
        /*@ check sum == i * i; */          //@ PROVED
        /*@ check i < 999; */               //@ RESIDUAL!  the last iteration of 1000
        if (which == 1) {
            /*@ assert odd <= 2 * i; */     //@ PROVED
        }
        sum += 2 * i + 1;
        odd += 2;
    }
    /*@ assert sum == n * n && odd == 2 * n; */     //@ PROVED
    if (which == 2) {
        /*@ check n >= 5; */        //@ RESIDUAL!  it may be 0
        /*@ check n >= 4; */        //@ RESIDUAL!  the check before says nothing
        return 0;
    }
    if (which == 3 && n > 2000) {
        /*@ assert n < 0; */        //@ RESIDUAL  no run is there
        return 0;
    }
    /*@ assert \forall integer k; 0 <= k < n ==> k < sum + 1; */    //@ RESIDUAL
    /*@ assert n != 3; */   //@ RESIDUAL!  it may be 3
    /*@ check odd != 6; */  //@ PROVED  where the assertion before holds
    // More than 64 bits.
    /*@ check n * n * n * n * n <= 1000000000000000; */     //@ RESIDUAL
    return 0;
}
