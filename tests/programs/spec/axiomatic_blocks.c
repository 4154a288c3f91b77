// smalti: --stages run,domains,induction
/* Definitions in a block are those of the file. Functions without a body have the values that axioms
   give them, which are taken for granted. */
/*@ axiomatic Weight {
      logic integer weight(integer n);
      predicate marked(integer n);
      predicate small(integer n) = n < 5;
      axiom least: \forall integer n; n >= 0 ==> weight(n) >= 1;
      axiom seven: marked(7);
    } */
/*@ inductive even(integer n) {
      case zero: even(0);
      case step: \forall integer n; even(n) ==> even(n + 2);
    } */
/*@ predicate down(integer n) = n == 0 || (n > 0 && down(n - 1)); */
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 9) return 0;
    /*@ check small(3); */             //@ PROVED
    /*@ check small(x); */             //@ RESIDUAL!
    /*@ check weight(x) >= 1; */       //@ PROVED
    /*@ check weight(x) == weight(x); */ //@ PROVED
    /*@ check weight(x) == 1; */       //@ RESIDUAL!
    /*@ check weight(0) == weight(1); */ //@ RESIDUAL!
    /*@ check marked(7); */            //@ PROVED
    /*@ check marked(8); */            //@ RESIDUAL!
    /*@ check !marked(8); */           //@ RESIDUAL!
    /*@ check even(0); */              //@ PROVED
    /*@ check even(1); */              //@ RESIDUAL!
    /*@ check !even(1); */             //@ RESIDUAL
    /*@ check down(0); */              //@ PROVED
    /*@ check down(3); */              //@ RESIDUAL
    /*@ check down(-1); */             //@ RESIDUAL!
    return 0;
}
