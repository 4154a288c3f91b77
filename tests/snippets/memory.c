//- accepted: a valid pointer
/*@ requires \valid(p); ensures *p == 1; */
void f(int *p) { *p = 1; }
//- accepted: valid to read
/*@ requires \valid_read(p); ensures \result == *p; */
int f(const int *p) { return *p; }
//- accepted: a valid range
/*@ requires n >= 0 && \valid(a + (0 .. n - 1)); */
void f(int *a, int n) { if (n > 0) a[n - 1] = 0; }
//- accepted: valid elements, written as cells
/*@ requires \valid(&a[0 .. 4]); */
void f(int *a) { a[4] = 0; }
//- accepted: valid at a label
/*@ requires \valid{Pre}(p); */
void f(int *p) { *p = 1; }
//- accepted: two valid pointers in one clause
/*@ requires \valid({p, q}); */
void f(int *p, int *q) { *p = *q; }
//- accepted: separated pointers
/*@ requires \valid(p) && \valid(q) && \separated(p, q);
    ensures *p == 1; */
void f(int *p, int *q) { *p = 1; *q = 2; }
//- accepted: separated ranges
/*@ requires \separated(a + (0 .. 3), b + (0 .. 3)); */
void f(int *a, int *b) { a = b; }
//- accepted: three separated pointers
/*@ requires \separated(p, q, r); */
void f(int *p, int *q, int *r) { p = q; q = r; }
//- accepted, not by smalti (`&` is not read): initialized
void f(void) {
    int x = 3;
    //@ assert \initialized(&x);
}
//- accepted, not by smalti (predicates about blocks are not supported): base addresses
/*@ requires \base_addr(p) == \base_addr(q); */
void f(int *p, int *q) { p = q; }
//- accepted, not by smalti (`sizeof` is not read): offsets and lengths of blocks
/*@ requires \offset(p) + sizeof(int) <= \block_length(p); */
void f(int *p) { p = p + 0; }
//- accepted, not by smalti (pointers are not compared): the null pointer
/*@ requires p != \null; */
void f(int *p) { p = p + 0; }
//- accepted, not by smalti (predicates about blocks are not supported): a fresh block
void *malloc(unsigned long n);
/*@ ensures \fresh{Old, Here}(\result, 4) || \result == \null; */
void *f(void) { return malloc(4); }
//- accepted, not by smalti (predicates about blocks are not supported): freeable and allocable
/*@ requires \freeable(p); */
void f(int *p) { p = p + 0; }
//- accepted, not by smalti (`&` is not read): a dangling pointer
/*@ requires !\dangling(&p); */
void f(int *p) { p = p + 0; }
//- refused: valid of a number
/*@ requires \valid(n); */
void f(int n) { n++; }
//- refused: valid without an argument
/*@ requires \valid(); */
void f(int *p) { *p = 0; }
//- refused: valid of two arguments
/*@ requires \valid(p, n); */
void f(int *p, int n) { *p = n; }
//- refused: valid of a cell instead of a pointer
/*@ requires \valid(p[0]); */
void f(int *p) { *p = 0; }
//- refused: valid of a pointer to void
/*@ requires \valid(p); */
void f(void *p) { p = (char *)p + 1; }
//- accepted, not by smalti (predicates about blocks are not supported): valid with a size, as it was once written
/*@ requires \valid_range(p, 0, 3); */
void f(int *p) { *p = 0; }
//- accepted: separated of one pointer
/*@ requires \separated(p); */
void f(int *p) { *p = 0; }
//- refused: initialized of a variable instead of its address
int f(int x) {
    //@ assert \initialized(x);
    return x;
}
//- refused: valid as a number
/*@ requires \valid(p) == 1; */
void f(int *p) { *p = 0; }
//- refused: the null pointer as a number
/*@ requires \null + 1 > 0; */
void f(int *p) { *p = 0; }
//- accepted, not by smalti (predicates about blocks are not supported): a pointer to a function
void g(void);
/*@ requires \valid_function(h); */
void f(void (*h)(void)) { h = g; }
//- accepted: valid of the result
int cell;
/*@ ensures \valid(\result); */
int *f(void) { return &cell; }
