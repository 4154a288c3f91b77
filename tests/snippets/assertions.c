//- accepted: an assert between two statements
int f(int x) {
    int y = x;
    //@ assert y == x;
    return y;
}
//- accepted: check and admit beside assert
int f(int x) {
    //@ assert x == x;
    //@ check x <= x;
    //@ admit x > 3;
    return x;
}
//- accepted: a name before the formula
int f(int x) {
    //@ assert same: x == x;
    return x;
}
//- accepted: two names before the formula
int f(int x) {
    //@ assert outer: inner: x == x;
    return x;
}
//- accepted: names inside the formula
int f(int x) {
    //@ assert (low: x < 5) || (high: x >= 5);
    return x;
}
//- accepted: an assert at the end of a block
void f(int x) {
    if (x > 0) {
        x = 0;
        //@ assert x == 0;
    }
}
//- refused: no semicolon at the end
int f(int x) {
    //@ assert x == x
    return x;
}
//- refused: the formula is missing
int f(int x) {
    //@ assert ;
    return x;
}
//- refused: a variable that is declared nowhere
int f(int x) {
    //@ assert missing > x;
    return x;
}
//- refused: a variable of an inner block that has ended
int f(int x) {
    { int inner = x; x += inner; }
    //@ assert inner == inner;
    return x;
}
//- refused: a variable that is declared after the annotation
int f(int x) {
    //@ assert later == x;
    int later = x;
    return later;
}
//- refused: an assert outside of functions
//@ assert 1 == 1;
int f(int x) { return x; }
//- refused: a parenthesis is not closed
int f(int x) {
    //@ assert (x == x;
    return x;
}
//- refused: a word that no clause begins with
int f(int x) {
    //@ asserts x == x;
    return x;
}
//- refused: two asserts in one annotation
int f(int x) {
    /*@ assert x == x; assert x < 7 || x >= 7; */
    return x;
}
//- accepted: an annotation over lines that begin with @
int f(int x) {
    /*@ assert
      @   x == x
      @ ; @*/
    return x;
}
//- refused: an assert inside an expression
int f(int x) {
    return x + /*@ assert x == x; */ 1;
}
//- refused: an assignment as a formula
int f(int x) {
    //@ assert x = 3;
    return x;
}
//- accepted: a name after a connective
int f(int x) {
    //@ assert x > 0 ==> large: x > -1;
    return x;
}
//- refused: a name in a branch of a condition
int f(int x) {
    //@ assert x > 0 ? large: x > -1 : x <= 0;
    return x;
}
//- accepted: a string as a name
int f(int x) {
    //@ assert "always the case": x == x;
    return x;
}
//- refused: an assertion and a frame in one annotation
int f(int x) {
    /*@ assert x == x; assigns x; */
    x = 1;
    return x;
}
//- accepted: a name in the body of a quantifier
int f(int x) {
    //@ assert \forall integer k; bounded: 0 <= k < 3 ==> k < 5;
    return x;
}
