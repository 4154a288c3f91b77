// smalti: --stack values --stages domains --checks bounds,division
// Where every run divides by zero, later operations are decided as if the run went on.
extern int __VERIFIER_nondet_int(void);
int counter, b[10];

int main(void) {
    int n = __VERIFIER_nondet_int();
    int zero = 0;
    counter = 1 / zero;                                         //@ RESIDUAL! division
    int k = n & 7;
    b[k] = 3;                                                   //@ PROVED bounds
    b[n] = 4;                                                   //@ RESIDUAL bounds
    if (n == 10) k = b[n];                                      //@ RESIDUAL bounds
    return b[k];                                                //@ PROVED bounds
}
