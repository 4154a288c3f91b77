//- accepted: a cast to a type that holds the number
int f(int x) {
    //@ assert (long)x == x;
    return x;
}
//- accepted: a cast that loses bits
int f(int x) {
    //@ assert (unsigned char)x <= 255;
    return x;
}
//- accepted: a cast to integer
int f(unsigned x) {
    //@ assert (integer)x >= 0;
    return 0;
}
//- accepted, not by smalti (real numbers are not supported): a cast to real
int f(int x) {
    //@ assert (real)x == x;
    return x;
}
//- accepted, not by smalti (casts of and to pointers and structs are not supported): a cast of a pointer
int f(int *p) {
    //@ assert (char *)p == (char *)p;
    return *p;
}
//- accepted, not by smalti (casts of and to pointers and structs are not supported): a cast of a pointer to a number
int f(int *p) {
    //@ assert (unsigned long)p > 0;
    return *p;
}
//- accepted: a cast to boolean
int f(int x) {
    //@ assert (boolean)1 == \true;
    return x;
}
//- accepted: a cast to a typedef
typedef unsigned short half;
int f(int x) {
    //@ assert (half)7 == 7;
    return x;
}
//- refused: a cast to an unknown type
int f(int x) {
    //@ assert (word)x == x;
    return x;
}
//- accepted, not by smalti (casts of and to pointers and structs are not supported): a cast to a struct
struct s { int v; };
int f(int x) {
    //@ assert ((struct s)x).v == x;
    return x;
}
//- refused: a cast without a term
int f(int x) {
    //@ assert (int) == x;
    return x;
}
//- accepted: a condition of numbers
int f(int x) {
    //@ assert (x > 0 ? x : -x) >= 0;
    return x;
}
//- accepted: a condition of formulas
int f(int x) {
    //@ assert x > 0 ? x >= 1 : x < 1;
    return x;
}
//- accepted: a condition inside a condition
int f(int x) {
    //@ assert (x > 0 ? 1 : x < 0 ? 2 : 3) > 0;
    return x;
}
//- accepted: a condition of a number and a formula
int f(int x) {
    //@ assert x > 0 ? x : x < 1;
    return x;
}
//- refused: a condition without a second branch
int f(int x) {
    //@ assert (x > 0 ? x) >= 0;
    return x;
}
//- refused: a condition of a number and a pointer
int f(int *p) {
    //@ assert (*p > 0 ? p : 3) == p;
    return *p;
}
//- accepted: a number as the condition
int f(int x) {
    //@ assert x ? \true : \false || x == 0;
    return x;
}
//- accepted: a size
struct s { int v; char c; };
int f(int x) {
    //@ assert sizeof(struct s) >= sizeof(int) && sizeof(x) == 4;
    return x;
}
//- accepted, not by smalti (`sizeof` is not read): the size of an unknown type
int f(int x) {
    //@ assert sizeof(struct absent) > 0;
    return x;
}
