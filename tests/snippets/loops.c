//- accepted: an invariant
void f(void) {
    int i = 0;
    /*@ loop invariant 0 <= i <= 10; */
    while (i < 10) i++;
}
//- accepted: invariant, assigns and variant
void f(int *a) {
    int i;
    /*@ loop invariant 0 <= i <= 4;
        loop assigns i, a[0 .. 3];
        loop variant 4 - i; */
    for (i = 0; i < 4; i++) a[i] = 0;
}
//- accepted: an invariant of a do loop
void f(void) {
    int i = 0;
    /*@ loop invariant 0 <= i; */
    do i++; while (i < 10);
}
//- accepted: a variant with a relation
/*@ predicate less(integer a, integer b) = 0 <= b && b < a; */
void f(void) {
    int i = 0;
    /*@ loop variant 10 - i for less; */
    while (i < 10) i++;
}
//- accepted: an invariant for a behavior
/*@ behavior up: assumes n > 0; ensures \result >= 0; */
int f(int n) {
    int i = 0;
    /*@ for up: loop invariant n > 0;
        loop invariant i >= 0; */
    while (i < n) i++;
    return i;
}
//- accepted: assigns for a behavior
/*@ behavior up: assumes n > 0; ensures \result >= 0; */
int f(int n) {
    int i = 0;
    /*@ for up: loop assigns i; */
    while (i < n) i++;
    return i;
}
//- accepted: nothing is assigned by a loop
void f(void) {
    /*@ loop assigns \nothing; */
    while (0) { }
}
//- accepted: a named invariant
void f(void) {
    int i = 0;
    /*@ loop invariant range: 0 <= i <= 10; */
    while (i < 10) i++;
}
//- accepted: check and admit of invariants
void f(void) {
    int i = 0;
    /*@ check loop invariant 0 <= i;
        admit loop invariant i <= 10; */
    while (i < 10) i++;
}
//- accepted: an invariant inside a loop
void f(void) {
    int i = 0;
    while (i < 10) {
        i++;
        //@ invariant i <= 10;
    }
}
//- accepted: a number of iterations to unroll
void f(void) {
    int i = 0;
    /*@ loop unroll 10; */
    while (i < 10) i++;
}
//- accepted: allocation in a loop
void f(void) {
    int i = 0;
    /*@ loop allocates \nothing; */
    while (i < 10) i++;
}
//- refused: an invariant before a statement that is no loop
int f(int x) {
    /*@ loop invariant x > 0; */
    x = 1;
    return x;
}
//- refused: a variant before the invariant
void f(void) {
    int i = 0;
    /*@ loop variant 10 - i;
        loop invariant i <= 10; */
    while (i < 10) i++;
}
//- refused: two variants
void f(void) {
    int i = 0;
    /*@ loop variant 10 - i;
        loop variant 11 - i; */
    while (i < 10) i++;
}
//- refused: a variant that is a formula
void f(void) {
    int i = 0;
    /*@ loop variant i < 10; */
    while (i < 10) i++;
}
//- refused: a variant that is a pointer
void f(char *p) {
    /*@ loop variant p; */
    while (*p) p++;
}
//- accepted: the variable of a for loop
void f(void) {
    /*@ loop invariant 0 <= i <= 10; */
    for (int i = 0; i < 10; i++) ;
}
//- refused: a variable of the body
void f(void) {
    int i = 0;
    /*@ loop invariant inner == i; */
    while (i < 10) { int inner = i; i = inner + 1; }
}
//- refused: a behavior that does not exist
void f(void) {
    int i = 0;
    /*@ for absent: loop invariant i >= 0; */
    while (i < 10) i++;
}
//- accepted: an invariant without the word loop
void f(void) {
    int i = 0;
    /*@ invariant i >= 0; */
    while (i < 10) i++;
}
//- refused: the word loop alone
void f(void) {
    int i = 0;
    /*@ loop i >= 0; */
    while (i < 10) i++;
}
//- refused, not by smalti (the order of clauses is free): an assert between the invariant and the loop
void f(void) {
    int i = 0;
    /*@ loop invariant i >= 0; */
    //@ assert i == 0;
    while (i < 10) i++;
}
//- refused: a statement between the invariant and the loop
void f(void) {
    int i = 0;
    /*@ loop invariant i >= 0; */
    i = 1;
    while (i < 10) i++;
}
//- refused: an unknown name in a variant
void f(void) {
    int i = 0;
    /*@ loop variant size - i; */
    while (i < 10) i++;
}
//- refused: a constant is assigned
void f(void) {
    int i = 0;
    /*@ loop assigns 3; */
    while (i < 10) i++;
}
//- refused: a variant without a term
void f(void) {
    int i = 0;
    /*@ loop variant ; */
    while (i < 10) i++;
}
