//- accepted: a logic function of one argument
//@ logic integer next(integer n) = n + 1;
/*@ requires x < 100; ensures \result == next(x); */
int f(int x) { return x + 1; }
//- accepted: a logic constant
//@ logic integer limit = 40;
/*@ requires 0 <= x < limit; */
int f(int x) { return x; }
//- accepted: a logic function that reads memory
//@ logic integer first{L}(int *a) = a[0];
/*@ requires \valid(a); ensures \result == first(a); */
int f(int *a) { return a[0]; }
//- accepted: a recursive logic function
//@ logic integer triangle(integer n) = n <= 0 ? 0 : n + triangle(n - 1);
int f(int x) {
    //@ assert triangle(3) == 6;
    return x;
}
//- accepted: a recursive logic function over an array
//@ logic integer total{L}(int *a, integer n) = n <= 0 ? 0 : total(a, n - 1) + a[n - 1];
/*@ requires \valid(a); ensures total(a, 0) == 0; */
int f(int *a) { return *a; }
//- accepted: overloading by the number of parameters
//@ logic integer size(integer a) = a;
//@ logic integer size(integer a, integer b) = a * b;
int f(int x) {
    //@ assert size(2, 3) == size(6);
    return x;
}
//- accepted: overloading by the types of parameters
//@ logic integer get(integer a) = a;
//@ logic integer get(int *a) = a[0];
/*@ requires \valid(p); */
int f(int *p) {
    //@ assert get(p) == get(*p);
    return *p;
}
//- accepted: a result of a type of C
//@ logic int clipped(int a) = a > 9 ? (int)9 : a;
int f(int x) {
    //@ assert clipped(x) <= 9;
    return x;
}
//- accepted: a boolean result
//@ logic boolean even(integer n) = n % 2 == 0;
int f(int x) {
    //@ assert even(4) == \true;
    return x;
}
//- accepted, not by smalti (real numbers are not supported): a real result
//@ logic real half(integer n) = n / 2.0;
int f(int x) {
    //@ assert half(4) == 2.0;
    return x;
}
//- accepted: a pointer as the result
//@ logic int *second(int *p) = p + 1;
/*@ requires \valid(p + (0 .. 1)); */
int f(int *p) {
    //@ assert *second(p) == p[1];
    return p[1];
}
//- accepted: a declaration without a body
//@ logic integer secret(integer n);
int f(int x) { return x; }
//- refused: a formula where a number is promised
//@ logic integer wrong(integer n) = n > 0;
int f(int x) { return x; }
//- refused: an unknown result type
//@ logic number wrong(integer n) = n;
int f(int x) { return x; }
//- refused: a logic function without a result type
//@ logic wrong(integer n) = n;
int f(int x) { return x; }
//- refused: a function of C in a formula
int twice(int n) { return 2 * n; }
int f(int x) {
    //@ assert twice(x) == 2 * x;
    return twice(x);
}
//- accepted: two parameters of one name
//@ logic integer both(integer a, integer a) = a;
int f(int x) { return x; }
//- refused: mutual recursion
//@ logic integer ping(integer n) = n <= 0 ? 0 : pong(n - 1);
//@ logic integer pong(integer n) = n <= 0 ? 1 : ping(n - 1);
int f(int x) { return x; }
//- accepted: a logic function named like a variable
int depth;
//@ logic integer depth = 3;
int f(int x) { return depth + x - x; }
//- refused: reads instead of a body, outside of axiomatic
//@ logic integer weight(int *p) reads *p;
int f(int x) { return x; }
//- refused: a call with an argument of a wrong type
//@ logic integer inc(integer n) = n + 1;
struct pair { int a, b; };
int f(struct pair s) {
    //@ assert inc(s) > 0;
    return s.a;
}
//- accepted, not by smalti (type parameters are not read): a type parameter
//@ logic integer constant<A>(A x) = 4;
int f(int x) {
    //@ assert constant(x) == 4;
    return x;
}
//- refused: a number where a truth value is promised
//@ logic boolean even(integer n) = n;
int f(int x) {
    //@ assert even(4) == \true;
    return x;
}
