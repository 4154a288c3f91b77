// smalti: --stages bounded,unwind
// smalti: --stages domains --stack box
// smalti: --stages unwind --checks assertion,bounds,division
static int divide(int x, int y) {
    //@ UNREACHABLE  y != 0     nothing calls it
    return x / y;
}
int half(int x) {
    //@ UNREACHABLE  x > 0     nothing that is called calls it
    return divide(x, 2);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    //@ PROVED  x < 5 || x > 4     the rest of the program is looked at all the same
    return 0;
}
