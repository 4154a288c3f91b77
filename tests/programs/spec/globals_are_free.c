// smalti: --stages domains,bounded --function f --checks assertion
/* A function that is analysed alone finds globals in any state, unless they are constant. */
int zero;
const int three = 3;
int table[4] = { 1, 2, 3, 4 };
int f(void) {
    /*@ check three == 3; */            //@ PROVED
    if (zero > 5) { /*@ check table[1] == 2; */ }   //@ VIOLATED
    return zero;
}
int main(void) { return 0; }
