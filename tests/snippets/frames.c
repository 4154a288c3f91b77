//- accepted: nothing is assigned
/*@ assigns \nothing; */
int f(int x) { return x; }
//- accepted: a global variable and what is behind a pointer
int g;
/*@ requires \valid(p); assigns g, *p; */
void f(int *p) { g = *p; *p = 0; }
//- accepted: two assigns clauses
int a, b;
/*@ assigns a; assigns b; */
void f(void) { a = b = 0; }
//- accepted: dependencies
int a, b;
/*@ assigns a \from b; */
void f(void) { a = b; }
//- accepted: dependencies on nothing
int a;
/*@ assigns a \from \nothing; */
void f(void) { a = 3; }
//- accepted: dependencies of the result
/*@ assigns \result \from x; */
int f(int x) { return x; }
//- accepted: an indirect dependency
int a, b;
/*@ assigns a \from indirect: b; */
void f(void) { a = b > 0; }
//- accepted: the result is assigned
/*@ assigns \result; */
int f(int x) { return x; }
//- accepted: a field
struct s { int v, w; };
/*@ requires \valid(p); assigns p->v; */
void f(struct s *p) { p->v = 0; }
//- refused, not by smalti (a parameter is a location): a parameter is assigned
/*@ assigns x; */
int f(int x) { x = 0; return x; }
//- refused: a local variable is assigned
/*@ assigns y; */
int f(int x) { int y = x; return y; }
//- refused: a sum is assigned
int a, b;
/*@ assigns a + b; */
void f(void) { a = 0; }
//- refused: nothing besides something
int a;
/*@ assigns \nothing, a; */
void f(void) { a = 0; }
//- refused: a constant is assigned
/*@ assigns 7; */
void f(void) { }
//- refused: a formula is assigned
int a;
/*@ assigns a > 0; */
void f(void) { a = 0; }
//- refused: an unknown name is assigned
/*@ assigns unknown_place; */
void f(void) { }
//- refused: an unknown name in the dependencies
int a;
/*@ assigns a \from unknown_place; */
void f(void) { a = 0; }
//- refused: no place at all
int a;
/*@ assigns ; */
void f(void) { a = 0; }
//- refused: dependencies without a place
int a, b;
/*@ assigns \from b; */
void f(void) { a = 0; }
//- refused: a trailing comma
int a, b;
/*@ assigns a, b, ; */
void f(void) { a = b = 0; }
//- refused: a number in the dependencies
int a;
/*@ assigns a \from 3; */
void f(void) { a = 3; }
//- refused: everything
int a;
/*@ assigns \everything; */
void f(void) { a = 3; }
//- accepted: what is behind an array
int t[4];
/*@ assigns *t, t[1], t[2 .. 3]; */
void f(void) { t[1] = 3; }
//- accepted: a cell with an index that is a variable
int t[4];
/*@ requires 0 <= i < 4; assigns t[i]; */
void f(int i) { t[i] = 3; }
//- accepted: a block is allocated
void *malloc(unsigned long n);
/*@ allocates \result; */
int *f(void) { return malloc(4); }
//- accepted: a block is freed
void free(void *p);
/*@ frees p; */
void f(int *p) { free(p); }
//- accepted: nothing is allocated or freed
/*@ allocates \nothing; frees \nothing; */
int f(int x) { return x; }
//- refused: an unknown name is freed
/*@ frees unknown_pointer; */
int f(int x) { return x; }
//- refused: a number is freed
/*@ frees x; */
int f(int x) { return x; }
//- refused: the result of a function without one is allocated
/*@ allocates \result; */
void f(void) { }
