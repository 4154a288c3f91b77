//- accepted: a set of two places
int a, b;
/*@ assigns {a, b}; */
void f(void) { a = b = 0; }
//- accepted: a range of cells
/*@ requires \valid(t + (0 .. 9)); assigns t[0 .. 9]; */
void f(int *t) { t[4] = 0; }
//- accepted: a range with one end
int t[10];
/*@ assigns t[3 ..]; */
void f(void) { t[4] = 0; }
//- accepted: a range with no ends
int t[10];
/*@ assigns t[..]; */
void f(void) { t[4] = 0; }
//- accepted: a union and an intersection
int a, b, c;
/*@ assigns \union(\inter({a, b}, {b, c}), a); */
void f(void) { a = b = 0; }
//- accepted: the empty set
int a;
/*@ assigns \empty; */
void f(void) { }
//- accepted, not by smalti (sets of locations are not read): a set with a condition
int t[10];
/*@ assigns { t[k] | integer k; 0 <= k < 10 && k % 2 == 0 }; */
void f(void) { t[4] = 0; }
//- accepted: an element of a set
int f(int x) {
    //@ assert 3 \in {1, 2, 3};
    return x;
}
//- accepted: a subset
int f(int x) {
    //@ assert \subset({1, 2}, {1, 2, 3});
    return x;
}
//- accepted: an element of a range
/*@ requires x \in (0 .. 9); */
int f(int x) { return x; }
//- accepted: fields of all elements of a range
struct s { int v; } t[5];
/*@ assigns t[0 .. 4].v; */
void f(void) { t[1].v = 0; }
//- accepted: all that is behind a range of pointers
/*@ requires \valid(p + (0 .. 1)); assigns *(p + (0 .. 1)); */
void f(int *p) { p[1] = 0; }
//- accepted: a range of two dimensions
int m[3][4];
/*@ assigns m[0 .. 2][1]; */
void f(void) { m[1][1] = 0; }
//- accepted, not by smalti (sets of numbers are not read): a range as a number
int f(int x) {
    //@ assert (0 .. 3) == 0;
    return x;
}
//- refused: three dots
int t[10];
/*@ assigns t[0 ... 9]; */
void f(void) { t[4] = 0; }
//- refused: a range without parentheses
/*@ requires \valid(p + 0 .. 3); */
void f(int *p) { p[1] = 0; }
//- refused: a set is not closed
int a, b;
/*@ assigns {a, b; */
void f(void) { a = b = 0; }
//- accepted: a set of things of different types
int a; int *p;
/*@ assigns {a, p}; */
void f(void) { a = 0; }
//- accepted, not by smalti (sets of numbers are not read): a universal formula about the cells of a range
int t[10];
//@ requires t[0 .. 9] == 0;
void f(void) { t[4] = 0; }
//- refused: the bounds of a range are pointers
int t[10];
/*@ assigns t[t .. 9]; */
void f(void) { t[4] = 0; }
