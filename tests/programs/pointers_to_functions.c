// smalti: --stages domains --stack smash/box
int add(int a, int b) {
    //@ RESIDUAL!  a != 3     it runs in ways that are not followed
    return a + b;
}
int sub(int a, int b) { return a - b; }
int (*table[2])(int, int) = {add, sub};
int inside(int x) {
    //@ PROVED  x == 4     no pointer to it exists
    return x;
}
int main(void) {
    int i = __VERIFIER_nondet_int() & 1;
    int r = table[i](3, 4);
    //@ RESIDUAL!  r == 7
    //@ PROVED  i == 0 || i == 1     no pointer to `main` exists
    return inside(4) + r;
}
