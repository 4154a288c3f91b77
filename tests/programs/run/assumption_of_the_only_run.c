// smalti: --stages run --checks assertion,bounds
// An assumption of the source ends the only run: what comes before it holds, and nothing comes after it.
#include <assert.h>

extern void __VERIFIER_assume(int condition);
int table[4], rest[4];

int main(void) {
    for (int i = 0; i < 4; i++) {
        table[i] = 3 * i;             //@ PROVED bounds
    }
    int k = 3;
    assert(table[k] == 9);            //@ PROVED
    __VERIFIER_assume(table[k] < 9);  //@ PROVED bounds  its condition was evaluated
    k = 4;
    rest[k] = 1;                      //@ UNREACHABLE bounds
    assert(rest[0] == 1);             //@ UNREACHABLE
    return 0;
}
