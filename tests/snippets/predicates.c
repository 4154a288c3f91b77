//- accepted: a predicate without parameters that reads a global variable
int level;
//@ predicate calm = 0 <= level < 10;
/*@ requires calm; ensures calm; */
int f(void) { return level; }
//- accepted: a predicate with a parameter
//@ predicate small(integer n) = -10 < n < 10;
/*@ requires small(x); ensures small(\result); */
int f(int x) { return x; }
//- accepted: a predicate with a label
//@ predicate holds{L}(int *p, integer v) = \at(*p, L) == v;
/*@ requires \valid(p); ensures holds{Post}(p, 3); */
void f(int *p) { *p = 3; }
//- accepted: a predicate with two labels
//@ predicate same{K, L}(int *p) = \at(*p, K) == \at(*p, L);
/*@ requires \valid(p); ensures same{Pre, Post}(p); */
int f(int *p) { return *p; }
//- accepted: a label that is left out where it is clear
//@ predicate zero{L}(int *p) = *p == 0;
/*@ requires \valid(p); ensures zero(p); */
void f(int *p) { *p = 0; }
//- accepted: a predicate that uses another
//@ predicate low(integer n) = n < 100;
//@ predicate between(integer n) = 0 <= n && low(n);
/*@ requires between(x); */
int f(int x) { return x; }
//- accepted: a predicate with parameters of types of C
//@ predicate apart(unsigned char c, long l) = c < l;
int f(int x) {
    //@ assert apart((unsigned char)3, (long)4) || x == x;
    return x;
}
//- refused: an argument too few
//@ predicate less(integer a, integer b) = a < b;
int f(int x) {
    //@ assert less(x);
    return x;
}
//- refused: an argument too many
//@ predicate odd(integer a) = a % 2 != 0;
int f(int x) {
    //@ assert odd(x, x);
    return x;
}
//- refused: a predicate that is not defined
int f(int x) {
    //@ assert even(x);
    return x;
}
//- refused: a predicate used before its definition
int f(int x) {
    //@ assert late(x);
    return x;
}
//@ predicate late(integer n) = n == n;
//- refused: a predicate as a term
//@ predicate positive(integer a) = a > 0;
int f(int x) {
    //@ assert positive(x) + 1 == 2;
    return x;
}
//- refused: an unknown name in a predicate that is used
//@ predicate strange(integer a) = a > unknown_thing;
int f(int x) {
    //@ assert strange(x);
    return x;
}
//- refused: an unknown name in a predicate that nothing uses
//@ predicate strange(integer a) = a > unknown_thing;
int f(int x) { return x; }
//- accepted: a predicate without a body
//@ predicate free(integer a);
int f(int x) { return x; }
//- refused: two labels where the use gives none
//@ predicate moved{K, L}(int *p) = \at(*p, K) != \at(*p, L);
int f(int *p) {
    //@ assert moved(p);
    return *p;
}
//- refused: more labels than the predicate has
//@ predicate one{L}(int *p) = *p == 1;
int f(int *p) {
    //@ assert one{Pre, Here}(p);
    return *p;
}
//- refused: a pointer for a number
//@ predicate positive(integer a) = a > 0;
int f(int *p) {
    //@ assert positive(p);
    return *p;
}
//- refused: a predicate inside a function
int f(int x) {
    //@ predicate inner(integer a) = a > 0;
    return x;
}
//- refused: a predicate defined twice with the same parameters
//@ predicate twice(integer a) = a > 0;
//@ predicate twice(integer a) = a > 1;
int f(int x) { return x; }
//- accepted: a recursive predicate
//@ predicate down(integer n) = n == 0 || (n > 0 && down(n - 1));
int f(int x) {
    //@ assert down(0);
    return x;
}
//- refused: a parameter without a type
//@ predicate bare(n) = n > 0;
int f(int x) { return x; }
//- refused, not by smalti (numbers convert to all types of C): a number for a parameter of a type of C
//@ predicate low(int n) = n < 10;
int f(int x) {
    //@ assert low(3);
    return x;
}
//- refused, not by smalti (numbers convert to all types of C): a sum of type integer for a parameter of a type of C
//@ predicate low(int n) = n < 10;
int f(int x) {
    //@ assert low(x + 1);
    return x;
}
//- accepted: a variable of the type of the parameter
//@ predicate low(int n) = n < 10;
int f(int x) {
    //@ assert low(x) || x >= 10;
    return x;
}
