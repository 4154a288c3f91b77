//- accepted: a contract of a statement
int f(int x) {
    /*@ requires x > 0 || x <= 0;
        ensures x == 3; */
    x = 3;
    return x;
}
//- accepted, not by smalti (contracts of statements are not supported): a contract of a block
int f(int x) {
    /*@ assigns x;
        ensures x == 4; */
    { x = 3; x = x + 1; }
    return x;
}
//- accepted, not by smalti (contracts of statements are not supported): a statement that returns
int f(int x) {
    /*@ returns \result == x; */
    return x;
}
//- accepted, not by smalti (contracts of statements are not supported): statements that break and continue
void f(int n) {
    while (n > 0) {
        n--;
        /*@ breaks n == 3; */
        if (n == 3) break;
        /*@ continues n != 3; */
        if (n == 2) continue;
    }
}
//- accepted: a behavior of a statement
int f(int x) {
    /*@ behavior low: assumes x < 0; ensures x == 0; */
    if (x < 0) x = 0;
    return x;
}
//- accepted: an assertion for a behavior
/*@ behavior up: assumes x > 0; ensures \result > 0; */
int f(int x) {
    //@ for up: assert x > 0;
    return x;
}
//- accepted: a contract for a behavior of the function
/*@ behavior up: assumes x > 0; ensures \result > 0; */
int f(int x) {
    /*@ for up: ensures x > 0; */
    x = x + 0;
    return x;
}
//- accepted: an assertion for two behaviors
/*@ behavior a: assumes x > 0; ensures \result > 0;
    behavior b: assumes x > 1; ensures \result > 1; */
int f(int x) {
    //@ for a, b: assert x > 0;
    return x;
}
//- accepted: old in a contract of a statement
int f(int x) {
    /*@ ensures x == \old(x); */
    x = x + 0;
    return x;
}
//- refused: an assertion for a behavior that does not exist
int f(int x) {
    //@ for absent: assert x == x;
    return x;
}
//- refused: a contract of a statement at the end of a block
int f(int x) {
    x = 3;
    return x;
    /*@ ensures x == 3; */
}
//- refused: the result in a contract of a statement that does not return
int f(int x) {
    /*@ ensures \result == x; */
    x = 3;
    return x;
}
//- refused: breaks in the contract of a function
/*@ breaks x > 0; */
int f(int x) { return x; }
//- refused: continues in the contract of a function
/*@ continues x > 0; */
int f(int x) { return x; }
//- refused: returns in the contract of a function
/*@ returns \result > 0; */
int f(int x) { return x; }
//- refused: decreases in a contract of a statement
int f(int x) {
    /*@ decreases x; */
    x = 3;
    return x;
}
//- refused: for without a colon
/*@ behavior up: assumes x > 0; ensures \result > 0; */
int f(int x) {
    //@ for up assert x > 0;
    return x;
}
//- accepted: a contract of a declaration
int f(int x) {
    /*@ ensures y == x; */
    int y = x;
    return y;
}
