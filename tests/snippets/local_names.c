//- accepted: a local name for a number
int f(int x) {
    //@ assert \let d = x / 2; d + d <= x || x < 0;
    return x;
}
//- accepted: two local names
int f(int x) {
    //@ assert \let a = x; \let b = a + 1; b > a;
    return x;
}
//- accepted: a local name for a formula
int f(int x) {
    //@ assert \let big = x > 10; big ==> x > 9;
    return x;
}
//- accepted: a local name inside a term
int f(int x) {
    //@ assert (\let a = 3; a * a) == 9;
    return x;
}
//- accepted: a local name in a contract
/*@ requires x < 100; ensures \let r = \result; r == x + 1; */
int f(int x) { return x + 1; }
//- refused: a local name used in its own value
int f(int x) {
    //@ assert \let a = a + 1; a == 1;
    return x;
}
//- refused: a local name that is used too late
int f(int x) {
    //@ assert (\let a = 1; a == 1) && a == 1;
    return x;
}
//- refused: a comma where the semicolon belongs
int f(int x) {
    //@ assert \let a = 1, a == 1;
    return x;
}
//- refused: a local name with a type
int f(int x) {
    //@ assert \let integer a = 1; a == 1;
    return x;
}
//- refused: a local name without a value
int f(int x) {
    //@ assert \let a; a == 1;
    return x;
}
//- accepted: a local name that hides a parameter
int f(int x) {
    //@ assert \let x = 1; x == 1;
    return x;
}
//- accepted: a local name for a pointer
/*@ requires \valid(p + (0 .. 1)); */
int f(int *p) {
    //@ assert \let q = p + 1; *q == p[1];
    return p[1];
}
