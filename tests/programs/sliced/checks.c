// smalti: --stages slice
// Each operation gets a slice of its own, wherever its statement stands.
int table[16], other[8], sum, quotient;

int pick(int k) {
    return table[k] & 7;              //@ PROVED bounds
}

int never(int k) {
    return table[k];                  //@ RESIDUAL bounds  nothing calls it, which other stages say
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 16; i++)
        table[i] = __VERIFIER_nondet_int();    //@ PROVED bounds
    for (int i = 0; i < 8; i++)
        other[i] = n > 3;             //@ PROVED bounds
    int k = n & 15;
    sum = other[pick(k)];             //@ PROVED bounds    through the result of a call
    quotient = 60 / (sum + 1);        //@ PROVED division
    if (other[table[3]] > 0) {        //@ VIOLATED bounds  the condition of a branch that does nothing
    }
    while (other[k & 7] > 2) {        //@ PROVED bounds    the condition of a loop that does nothing
    }
    return quotient / (n - 4);        //@ VIOLATED division
}
