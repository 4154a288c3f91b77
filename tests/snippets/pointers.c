//- accepted: a pointer is followed
/*@ requires \valid(p); ensures *p == 3; */
void f(int *p) { *p = 3; }
//- accepted: a pointer moved and followed
/*@ requires \valid(p + (0 .. 2)); ensures *(p + 2) == 3; */
void f(int *p) { p[2] = 3; }
//- accepted: pointers are equal
/*@ ensures \result == p; */
int *f(int *p) { return p; }
//- accepted, not by smalti (pointers are not compared): a pointer and null
/*@ ensures \result == 0 ==> p == \null; */
int f(int *p) { return p != 0; }
//- accepted, not by smalti (pointers are not compared): a pointer is compared with the number 0
/*@ requires p != 0; */
int f(int *p) { return *p; }
//- refused: a pointer is compared with the number 1
/*@ requires p != 1; */
int f(int *p) { return *p; }
//- accepted, not by smalti (pointers are not compared): an order of pointers
/*@ requires p <= q; */
int f(int *p, int *q) { return p == q; }
//- accepted, not by smalti (pointers are not compared): a difference of pointers
/*@ requires q - p == 3; */
int f(int *p, int *q) { return p == q; }
//- accepted, not by smalti (`&` is not read): the address of a variable
int g;
/*@ ensures \result == &g; */
int *f(void) { return &g; }
//- accepted: the address of a cell
int a[10];
/*@ ensures \result == &a[4]; */
int *f(void) { return &a[4]; }
//- accepted: a pointer to a pointer
/*@ requires \valid(p) && \valid(*p); ensures **p == 1; */
void f(int **p) { **p = 1; }
//- refused: a sum of two pointers
/*@ requires p + q == p; */
int f(int *p, int *q) { return p == q; }
//- refused: a number is followed
/*@ requires *n == 0; */
int f(int n) { return n; }
//- refused: a pointer to void is followed
/*@ requires *p == 0; */
int f(void *p) { return p == 0; }
//- refused: the address of a number
/*@ requires &3 == p; */
int f(int *p) { return *p; }
//- refused: pointers to different types are compared
/*@ requires p == q; */
int f(int *p, char *q) { return *p + *q; }
//- accepted, not by smalti (pointers are not compared): a pointer to void is compared with a pointer to int
/*@ requires p == q; */
int f(int *p, void *q) { return p == q; }
//- refused: a pointer is multiplied
/*@ requires p * 2 == p; */
int f(int *p) { return *p; }
//- accepted, not by smalti (pointers are not compared): a pointer as a formula
/*@ requires p; */
int f(int *p) { return *p; }
//- accepted, not by smalti (pointers are not compared): a pointer is negated
/*@ requires !p; */
int f(int *p) { return p == 0; }
//- accepted, not by smalti (`&` is not read): a function is compared
int g(int);
/*@ requires h == g || h == &g; */
int f(int (*h)(int)) { return h(1); }
//- refused: a number is indexed
/*@ requires n[0] == 1; */
int f(int n) { return n; }
//- accepted: an index in front of its array
int a[4];
/*@ requires 2[a] == 1; */
int f(void) { return a[2]; }
//- accepted: a chain of arrows and dots
struct in { int v; };
struct out { struct in i; struct out *next; };
/*@ requires \valid(o) && \valid(o->next); requires o->next->i.v == 2; */
int f(struct out *o) { return o->next->i.v; }
