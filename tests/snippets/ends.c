//- accepted: a function that terminates
/*@ terminates \true; */
int f(int x) { return x; }
//- accepted: a function that terminates under a condition
/*@ terminates x > 0; */
int f(int x) { while (x <= 0) ; return x; }
//- accepted: a measure of a recursive function
/*@ requires n >= 0; decreases n; */
int f(int n) { return n == 0 ? 0 : f(n - 1); }
//- accepted: a measure with a relation
//@ predicate below(integer a, integer b) = 0 <= b < a;
/*@ requires n >= 0; decreases n for below; */
int f(int n) { return n == 0 ? 0 : f(n - 1); }
//- accepted: a function that never exits
/*@ exits \false; */
int f(int x) { return x; }
//- accepted: a function that exits with a status
void exit(int status);
/*@ exits \exit_status == 1;
    ensures \false; */
void f(void) { exit(1); }
//- refused: an unknown name in terminates
/*@ terminates unknown_name; */
int f(int x) { return x; }
//- refused: an unknown name in decreases
/*@ decreases unknown_name; */
int f(int x) { return x; }
//- refused: a measure that is a pointer
/*@ decreases p; */
int f(int *p) { return p == 0; }
//- refused: two terminates clauses
/*@ terminates x > 0; terminates x > 1; */
int f(int x) { return x; }
//- refused: two measures
/*@ decreases x; decreases x + 1; */
int f(int x) { return x; }
//- refused: terminates without a formula
/*@ terminates ; */
int f(int x) { return x; }
//- refused: terminates after ensures
/*@ ensures \result == x; terminates \true; */
int f(int x) { return x; }
//- refused: the result where the program ends
/*@ exits \result == 0; */
int f(int x) { return x; }
//- refused: the exit status in ensures
/*@ ensures \exit_status == 0; */
int f(int x) { return x; }
//- refused: a relation that does not exist
/*@ decreases x for absent; */
int f(int x) { return x; }
//- refused: the result in a measure
/*@ decreases \result; */
int f(int x) { return x; }
//- refused: terminates in a behavior
/*@ behavior b: terminates \true; */
int f(int x) { return x; }
//- refused: requires after terminates
/*@ terminates \true; requires x > 0; */
int f(int x) { return x; }
//- refused: terminates after decreases
/*@ decreases x; terminates \true; */
int f(int x) { return x; }
//- refused: decreases in a behavior
/*@ behavior b: ensures \result == x; decreases x; */
int f(int x) { return x; }
