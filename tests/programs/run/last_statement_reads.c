// smalti: --stages run
// The last statement of the run takes a value from outside the program.
int table[2] = { 1, 2 };

int main(void) {
    int x;
    return table[x & 3];              //@ RESIDUAL! bounds  it may be 2
}
