//- accepted: a universal formula over a range
/*@ requires \valid(a + (0 .. 9));
    requires \forall integer k; 0 <= k < 10 ==> a[k] > 0; */
int f(int *a) { return a[3]; }
//- accepted: an existential formula over a range
/*@ requires \valid(a + (0 .. 9));
    ensures \exists integer k; 0 <= k < 10 && a[k] == 4; */
void f(int *a) { a[2] = 4; }
//- accepted: two variables of one type
/*@ requires \valid(a + (0 .. 9));
    requires \forall integer i, j; 0 <= i < j < 10 ==> a[i] <= a[j]; */
int f(int *a) { return a[0]; }
//- accepted, not by smalti (a variable of type integer needs bounds): variables of two types
int f(int x) {
    //@ assert \forall integer n, int c; n < c ==> c > n;
    return x;
}
//- accepted: a variable of a type of C
int f(int x) {
    //@ assert \forall unsigned char c; c <= 255;
    return x;
}
//- accepted, not by smalti (only numbers are quantified): a pointer variable
int f(int x) {
    //@ assert \forall int *p; p == p;
    return x;
}
//- accepted: nested quantifiers
int f(int x) {
    //@ assert \forall integer i; 0 <= i < 4 ==> \exists integer j; 0 <= j < 5 && j == i + 1;
    return x;
}
//- accepted: a quantifier between connectives
int f(int x) {
    //@ assert x > 5 ==> (\exists integer k; 0 <= k < 3 && k == 1) && x > 4;
    return x;
}
//- accepted, not by smalti (a variable of type integer needs bounds): a variable without bounds
int f(int x) {
    //@ assert \forall integer n; n + 1 > n;
    return x;
}
//- accepted, not by smalti (real numbers are not supported): a real variable
int f(int x) {
    //@ assert \forall real r; r * r >= 0.0;
    return x;
}
//- accepted: a variable of a typedef
typedef unsigned short word;
int f(int x) {
    //@ assert \forall word w; w >= 0;
    return x;
}
//- accepted, not by smalti (only numbers are quantified): a struct variable
struct point { int x, y; };
int f(int x) {
    //@ assert \forall struct point p; p.x == p.x;
    return x;
}
//- accepted, not by smalti (a variable of type integer needs bounds): a variable that hides a parameter
int f(int x) {
    //@ assert \forall integer x; x == x;
    return x;
}
//- refused: a variable without a type
int f(int x) {
    //@ assert \forall n; n == n;
    return x;
}
//- refused: a variable after its formula
int f(int x) {
    //@ assert (\forall integer n; n == n) && n == 0;
    return x;
}
//- refused: a comma where the semicolon belongs
int f(int x) {
    //@ assert \forall integer n, n == n;
    return x;
}
//- refused: no variable
int f(int x) {
    //@ assert \exists ; x == 1;
    return x;
}
//- refused: an unknown type
int f(int x) {
    //@ assert \forall count n; n == n;
    return x;
}
//- accepted, not by smalti (a variable of type integer needs bounds): a term as the body
int f(int x) {
    //@ assert \forall integer n; n + 1;
    return x;
}
//- refused: the quantifier without a backslash
int f(int x) {
    //@ assert forall integer n; n == n;
    return x;
}
//- refused: a quantifier as a term
int f(int x) {
    //@ assert (\forall integer n; n == n) + 1 == 2;
    return x;
}
//- accepted, not by smalti (only numbers are quantified): an array of variables
int f(int x) {
    //@ assert \forall int *a, integer k; 0 <= k < 2 ==> a[k] == a[k];
    return x;
}
