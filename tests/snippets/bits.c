//- accepted: bits that two numbers share
int f(int x) {
    //@ assert (x & 1) == 0 || (x & 1) == 1;
    return x;
}
//- accepted: bits of either number
int f(int x) {
    //@ assert (4 | 1) == 5;
    return x;
}
//- accepted: bits of one number only
int f(int x) {
    //@ assert (5 ^ 1) == 4;
    return x;
}
//- accepted: the complement
int f(int x) {
    //@ assert ~0 == -1;
    return x;
}
//- accepted: shifts
int f(int x) {
    //@ assert 1 << 3 == 8 && 8 >> 2 == 2;
    return x;
}
//- accepted: bitwise implication
int f(int x) {
    //@ assert (x --> x) == -1;
    return x;
}
//- accepted: bitwise equivalence
int f(int x) {
    //@ assert (x <--> x) == -1;
    return x;
}
//- refused: bits of a pointer
int f(int *p) {
    //@ assert (p & 3) == 0;
    return *p;
}
//- refused: bits of a formula
int f(int x) {
    //@ assert (x > 0) & (x > 1) & 1;
    return x;
}
//- refused: bits of a real number
int f(int x) {
    //@ assert (1.5 | 1) == 1;
    return x;
}
//- refused: a shift by nothing
int f(int x) {
    //@ assert x << == 0;
    return x;
}
//- refused: a bit operator before a comparison, without parentheses
int f(int x) {
    //@ assert x & 1 == x & 1;
    return x;
}
//- accepted: remainders and quotients
int f(int x) {
    //@ assert 7 / 2 == 3 && 7 % 2 == 1 && -7 / 2 == -3;
    return x;
}
//- accepted: the exclusive or of formulas
int f(int x) {
    //@ assert x > 0 ^^ x <= 0;
    return x;
}
//- accepted: hexadecimal, octal and binary numbers
int f(int x) {
    //@ assert 0x10 == 16 && 010 == 8 && 0b11 == 3;
    return x;
}
//- accepted: suffixes of numbers
int f(int x) {
    //@ assert 3u == 3 && 4L == 4 && 5ull == 5;
    return x;
}
//- accepted: characters
int f(int x) {
    //@ assert 'a' < 'b' && '\n' == 10 && '\x41' == 65;
    return x;
}
//- refused: an increment
int f(int x) {
    //@ assert x++ == 0;
    return x;
}
//- refused: the remainder of real numbers
int f(double d) {
    //@ assert d % 2.0 == 0.0;
    return 0;
}
//- refused: a digit that octal numbers do not have
int f(int x) {
    //@ assert 08 == 8;
    return x;
}
