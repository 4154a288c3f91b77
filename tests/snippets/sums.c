//- accepted, not by smalti (`\lambda` is not read): the sum of an array
/*@ requires \valid(a + (0 .. 3)); */
int f(int *a) {
    //@ assert \sum(0, 0, \lambda integer k; a[k]) == a[0];
    return a[0];
}
//- accepted, not by smalti (`\lambda` is not read): a product
int f(int x) {
    //@ assert \product(1, 3, \lambda integer k; k) == 6;
    return x;
}
//- accepted, not by smalti (`\lambda` is not read): the largest and the smallest value of a function
int f(int x) {
    //@ assert \max(1, 3, \lambda integer k; k) >= \min(1, 3, \lambda integer k; k);
    return x;
}
//- accepted, not by smalti (`\lambda` is not read): how many numbers satisfy a condition
int f(int x) {
    //@ assert \numof(1, 4, \lambda integer k; k % 2 == 0) == 2;
    return x;
}
//- accepted: the larger of two numbers
int f(int x) {
    //@ assert \max(x, 3) >= 3;
    return x;
}
//- accepted: the absolute value
int f(int x) {
    //@ assert \abs(x) >= 0;
    return x;
}
//- accepted, not by smalti (`\lambda` is not read): a lambda in the definition of a logic function
//@ logic integer squares(integer n) = \sum(1, n, \lambda integer k; k * k);
int f(int x) {
    //@ assert squares(2) == 5;
    return x;
}
//- refused: a sum with two arguments
int f(int x) {
    //@ assert \sum(0, \lambda integer k; k) == 0;
    return x;
}
//- refused: a sum of no function
int f(int x) {
    //@ assert \sum(0, 3, x) == 0;
    return x;
}
//- refused: a lambda alone
int f(int x) {
    //@ assert \lambda integer k; k == 0;
    return x;
}
//- refused: a lambda without a type
int f(int x) {
    //@ assert \sum(0, 3, \lambda k; k) == 6;
    return x;
}
//- refused: an unknown function of the language
int f(int x) {
    //@ assert \total(0, 3, \lambda integer k; k) == 6;
    return x;
}
//- accepted, not by smalti (real numbers are not supported): a power
int f(int x) {
    //@ assert \pow(2.0, 3.0) == 8.0;
    return x;
}
