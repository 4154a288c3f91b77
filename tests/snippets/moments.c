//- accepted: old of a global variable
int g;
/*@ requires g < 50; ensures g == \old(g) + 2; */
void f(void) { g += 2; }
//- accepted: old of an expression
int g;
/*@ requires -50 < g < 50; ensures \result == \old(g + 1); */
int f(void) { int r = g + 1; g = 0; return r; }
//- accepted: at with Pre
int g;
/*@ ensures g == \at(g, Pre); */
void f(void) { g = g; }
//- accepted: at with Old, Here and Post in ensures
int g;
/*@ ensures \at(g, Post) == \at(g, Here) && \at(g, Old) == \old(g); */
void f(void) { g = 1; }
//- accepted: Pre in an assertion
int f(int x) {
    x = x / 2;
    //@ assert x <= \at(x, Pre) || \at(x, Pre) < 0;
    return x;
}
//- accepted: a label of the source
int f(int x) {
before: x = x / 2;
    //@ assert \at(x, before) == \at(x, Pre);
    return x;
}
//- refused: a label that comes later
int f(int x) {
    //@ assert \at(x, later) == x;
later: x = 0;
    return x;
}
//- refused: a label that does not exist
int f(int x) {
    //@ assert \at(x, nowhere) == x;
    return x;
}
//- refused: Post in an assertion
int f(int x) {
    //@ assert \at(x, Post) == x;
    return x;
}
//- refused: old in an assertion
int f(int x) {
    //@ assert \old(x) == x;
    return x;
}
//- accepted: LoopEntry and LoopCurrent in an invariant
void f(void) {
    int i = 0;
    /*@ loop invariant \at(i, LoopEntry) <= i;
        loop invariant i <= 5; */
    while (i < 5) i++;
}
//- accepted: LoopCurrent in the body of a loop
void f(void) {
    int i = 0;
    while (i < 5) {
        i++;
        //@ assert i == \at(i, LoopCurrent) + 1;
    }
}
//- refused: LoopEntry outside of loops
int f(int x) {
    //@ assert \at(x, LoopEntry) == x;
    return x;
}
//- accepted, not by smalti (`Init` is no label): Init
int g = 3;
int f(void) {
    //@ assert \at(g, Init) == 3;
    return g;
}
//- refused: at with one argument
int f(int x) {
    //@ assert \at(x) == x;
    return x;
}
//- accepted: a cell at an earlier moment
void f(int *p) {
    int k = *p;
    //@ assert \at(*p, Pre) == k;
    *p = 0;
}
//- accepted: a formula at an earlier moment
int f(int x) {
    x = 0;
    //@ assert \at(x > 0, Pre) ==> x == 0;
    return x;
}
//- refused: old without parentheses
/*@ ensures \result == \old x; */
int f(int x) { return x; }
//- refused: a label of an inner block that has ended
int f(int x) {
    { inside: x = 1; }
    //@ assert \at(x, inside) == x || \true;
    return x;
}
//- refused: a number as a label
int f(int x) {
    //@ assert \at(x, 1) == x;
    return x;
}
