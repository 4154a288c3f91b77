// smalti: --stack values --stages domains --checks bounds
// A function without a body may call what its arguments point to, whatever its contract says.
int b[6];

/*@ assigns \nothing; */
extern void apply(void (*f)(int));

static void at(int i) { b[i] = 1; }                             //@ RESIDUAL! bounds
static void in(int i) { b[i] = 1; }                             //@ PROVED bounds

int main(void) {
    at(3);
    in(3);
    apply(at);
    return 0;
}
