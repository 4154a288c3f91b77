//- accepted: a chain of three comparisons
int f(int x) {
    //@ assert 0 <= 1 < 2 <= 3;
    return x;
}
//- accepted: a chain that goes down
int f(int x) {
    //@ assert 3 > 2 >= 1;
    return x;
}
//- accepted: a chain of equations
int f(int x) {
    //@ assert x == x == x;
    return x;
}
//- refused: a chain that goes up and down
int f(int x) {
    //@ assert 0 < 2 > 1;
    return x;
}
//- refused: a chain with an inequality
int f(int x) {
    //@ assert 0 < 1 != 2;
    return x;
}
//- accepted: implications associate to the right
int f(int x) {
    //@ assert x > 3 ==> x > 2 ==> x > 1;
    return x;
}
//- accepted: an equivalence of implications
int f(int x) {
    //@ assert (x > 0 ==> x > 1) <==> (x <= 0 || x > 1);
    return x;
}
//- accepted: an equation after a chain
int f(int x) {
    //@ assert 0 < 1 == 1;
    return x;
}
//- accepted: a negation of a comparison
int f(int x) {
    //@ assert !(x > 0) || x > 0;
    return x;
}
//- accepted: a number as a formula
int f(int x) {
    //@ assert x || !x;
    return x;
}
//- accepted: the negation of a number in an equation
int f(int x) {
    //@ assert !x == 0 || x == 0;
    return x;
}
//- accepted: truth
int f(int x) {
    //@ assert \true && !\false;
    return x;
}
//- accepted: truth as a number
int f(int x) {
    //@ assert \true == 1;
    return x;
}
//- refused: a formula is added
int f(int x) {
    //@ assert (x > 0) + 1 > 0;
    return x;
}
//- accepted: formulas are compared
int f(int x) {
    //@ assert (x > 0) == (x >= 1);
    return x;
}
//- refused: an implication of C, a single arrow
int f(int x) {
    //@ assert x > 0 => x > 0;
    return x;
}
//- refused: two operators in a row
int f(int x) {
    //@ assert x > 0 && || x < 3;
    return x;
}
//- refused: words for operators
int f(int x) {
    //@ assert x > 0 or x <= 0;
    return x;
}
//- refused: a comma in a formula
int f(int x) {
    //@ assert (x > 0, x > 1);
    return x;
}
//- refused: truth without a backslash
int f(int x) {
    //@ assert true;
    return x;
}
//- accepted: mixed and and or without parentheses
int f(int x) {
    //@ assert x > 3 && x > 2 || x <= 3;
    return x;
}
//- accepted: a comment inside a formula
int f(int x) {
    /*@ assert x > 3 // the first case
          || x <= 3; */
    return x;
}
