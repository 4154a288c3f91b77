//- accepted: requires and ensures
/*@ requires 0 <= x <= 1000;
    ensures \result == x + 1; */
int f(int x) { return x + 1; }
//- refused, not by smalti (two annotations make one contract): a contract in two comments of one line each
//@ requires x > 0;
//@ ensures \result > 0;
int f(int x) { return x; }
//- accepted: a contract of a prototype, used by a call
/*@ requires n > 0;
    assigns \nothing;
    ensures \result <= n; */
int smaller(int n);
int f(void) { return smaller(4); }
//- accepted: named clauses
/*@ requires positive: x > 0;
    ensures kept: \result == x; */
int f(int x) { return x; }
//- accepted: clauses with check and admit
/*@ check requires x > 0;
    admit ensures \result > 0; */
int f(int x) { return x; }
//- accepted: a parameter is changed, ensures speaks of its value at the call
/*@ requires x > 0;
    ensures \result == x - 1; */
int f(int x) { x--; return x; }
//- accepted: a global variable in a contract
int total;
/*@ requires 0 <= total < 100;
    ensures total == \old(total) + 1; */
void f(void) { total++; }
//- refused: requires after ensures
/*@ ensures \result == x;
    requires x > 0; */
int f(int x) { return x; }
//- refused: requires after assigns and ensures
/*@ assigns \nothing;
    ensures \result == x;
    requires x > 0; */
int f(int x) { return x; }
//- refused: the result of a function without one
int g;
/*@ ensures \result == 0; */
void f(void) { g = 0; }
//- refused: the result in a precondition
/*@ requires \result == 0; */
int f(int x) { return x; }
//- refused: an unknown parameter
/*@ requires n > 0; */
int f(int x) { return x; }
//- refused: a local variable in a contract
/*@ ensures \result == y; */
int f(int x) { int y = x; return y; }
//- refused: a contract before a variable
/*@ requires 1 == 1; */
int counter;
int f(void) { return counter; }
//- refused: a contract before nothing
int f(int x) { return x; }
/*@ requires x > 0; */
//- refused: a misspelt clause
/*@ require x > 0; */
int f(int x) { return x; }
//- refused: no semicolon between two clauses
/*@ requires x > 0
    ensures \result == x; */
int f(int x) { return x; }
//- accepted: parameters of a prototype that have other names in the definition
/*@ requires low <= high; */
int f(int low, int high);
int f(int a, int b) { return b - b + a - a; }
//- refused: old in a precondition
/*@ requires \old(x) > 0; */
int f(int x) { return x; }
//- refused, not by smalti (an annotation may be empty): an empty contract
/*@ */
int f(int x) { return x; }
