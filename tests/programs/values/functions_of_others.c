// smalti: --stages run,domains --stack values --checks bounds,assertion
// Code of other files knows names of the program, and calls what has its address taken.
void poke(void);

static int kept = 3, sizes[4];
int named = 3;
static int add(int n) { return sizes[n]; }      //@ RESIDUAL! bounds
static int (*const table[])(int) = {add, add};

int main(int argc, char **argv) {
    (void)argv;
    poke();
    //@ RESIDUAL!   named == 3
    //@ RESIDUAL    kept == 3
    return table[argc > 1](3);
}
