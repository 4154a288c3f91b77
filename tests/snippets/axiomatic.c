//- accepted: a block with a function and axioms
/*@ axiomatic Weight {
      logic integer weight(integer n);
      axiom nonnegative: \forall integer n; weight(n) >= 0;
    } */
int f(int x) {
    //@ assert weight(x) >= 0;
    return x;
}
//- accepted: a type of its own
/*@ axiomatic Colour {
      type colour;
      logic colour red;
      logic colour mix(colour a, colour b);
      axiom same: mix(red, red) == red;
    } */
int f(int x) { return x; }
//- accepted: reads
/*@ axiomatic Sum {
      logic integer sum{L}(int *a, integer n) reads a[0 .. n - 1];
      axiom none{L}: \forall int *a, integer n; n <= 0 ==> sum(a, n) == 0;
    } */
int f(int x) { return x; }
//- accepted: a predicate that axioms describe
/*@ axiomatic Marks {
      predicate marked(integer n);
      axiom m: marked(7);
    } */
int f(int x) {
    //@ assert marked(7);
    return x;
}
//- accepted: a lemma inside
/*@ axiomatic Steps {
      logic integer step(integer n);
      axiom a: \forall integer n; step(n) == n + 1;
      lemma b: step(1) == 2;
    } */
int f(int x) { return x; }
//- accepted: a definition with a body inside
/*@ axiomatic Small {
      predicate small(integer n) = n < 5;
    } */
int f(int x) {
    //@ assert small(3);
    return x;
}
//- refused: a constant with a type parameter
/*@ axiomatic Bag {
      type bag<A>;
      logic bag<A> empty<A>;
      logic integer count<A>(bag<A> b, A x);
      axiom nothing<A>: \forall A x; count(empty, x) == 0;
    } */
int f(int x) { return x; }
//- accepted: an empty block
/*@ axiomatic Empty { } */
int f(int x) { return x; }
//- refused: an axiom outside of a block
//@ axiom alone: 1 == 1;
int f(int x) { return x; }
//- refused: a block without a name
/*@ axiomatic { axiom a: 1 == 1; } */
int f(int x) { return x; }
//- refused: an unknown function in an axiom
/*@ axiomatic Bad { axiom a: unknown_function(1) == 1; } */
int f(int x) { return x; }
//- refused: a type that is not declared
/*@ axiomatic Bad { logic shade pale; } */
int f(int x) { return x; }
//- accepted: an axiom that is a number
/*@ axiomatic Bad { axiom a: 3 + 4; } */
int f(int x) { return x; }
//- refused: no semicolon after a declaration
/*@ axiomatic Bad { logic integer one } */
int f(int x) { return x; }
//- refused: a contract inside
/*@ axiomatic Bad { requires 1 == 1; } */
int f(int x) { return x; }
//- refused: two blocks of one name
/*@ axiomatic Same { axiom a: 1 == 1; } */
/*@ axiomatic Same { axiom b: 2 == 2; } */
int f(int x) { return x; }
//- refused: an axiomatic block inside a function
int f(int x) {
    /*@ axiomatic Inside { axiom a: 1 == 1; } */
    return x;
}
