// smalti: --stages domains --stack partition/octagon
/* Integers in annotations have no bounds. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
    /*@ check x + 1 > x; */                 //@ PROVED
    /*@ check u + 1 > u; */                 //@ PROVED
    /*@ check u - 1 >= 0; */                //@ RESIDUAL!
    /*@ check 2 * u - u == u; */            //@ PROVED
    /*@ check -2147483648 <= x <= 2147483647; */   //@ PROVED
    /*@ check u <= 4294967295 && u >= 0; */ //@ PROVED
    /*@ check x < 0 <==> !(x >= 0); */      //@ PROVED
    /*@ check x / 0 == x / 0; */            //@ RESIDUAL!
    return 0;
}
