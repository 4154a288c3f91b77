// smalti: --stack values --stages domains
// Each call is executed in the state in which it is made: by name, by pointer, by itself.
extern int __VERIFIER_nondet_int(void);
typedef int operation(int, int);
static int add(int a, int b) { return a + b; }
static int scale(int a, int b) { return a * b; }
static operation *operations[] = {add, scale};
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int depth(int n) {
    int here[4];
    here[n & 3] = n;                                            //@ PROVED bounds
    return n > 0 ? depth(n - 1) + 1 : here[0];
}
static void set(int *p, int n, int value) {
    for (int i = 0; i < n; i++) p[i] = value;                   //@ PROVED bounds
}
static int get(const int *p, int i) { return p[i]; }            //@ RESIDUAL! bounds

int main(void) {
    int a[5], b[9];
    set(a, 5, 1);
    set(b, 9, 2);
    //@ PROVED      a[4] == 1 && b[8] == 2
    //@ PROVED      operations[0](3, 4) == 7 && operations[1](3, 4) == 12
    int n = __VERIFIER_nondet_int();
    int r = operations[n & 1](3, 4);                            //@ PROVED bounds
    //@ PROVED      r >= 7 && r <= 12
    //@ RESIDUAL!   r == 7
    //@ PROVED      fib(12) == 144
    //@ PROVED      depth(9) == 9
    if (n >= 0 && n < 6) n = get(a, n);
    return 0;
}
