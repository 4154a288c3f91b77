// smalti: --stack values --stages domains
// Iterations that are decided are kept apart; all others have one state.
extern int __VERIFIER_nondet_int(void);
int a[100], ring[8];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    int i;
    for (i = 0; i < n; i++) a[i] = 7;                           //@ PROVED bounds
    //@ PROVED      a[50] == 0 || a[50] == 7
    //@ RESIDUAL!   a[50] == 7
    //@ RESIDUAL!   a[99] == 0
    unsigned at = 0;
    while (__VERIFIER_nondet_int()) {
        ring[at] = 1;                                           //@ PROVED bounds
        at = (at + 1) % 8;
    }
    //@ PROVED      at < 8
    //@ RESIDUAL!   at < 7
    int odd = 1, steps = 0;
    while (odd < 1000 && __VERIFIER_nondet_int()) odd += 2;
    //@ PROVED      odd % 2 == 1 && odd <= 1001
    //@ RESIDUAL!   odd <= 999
    do {
        steps++;
        if (steps == 50) break;
    } while (1);
    //@ PROVED      steps == 50
    int state = 0;
again:
    switch (state) {
    case 0: state = 2; goto again;
    case 2: state = 5; goto again;
    default: break;
    }
    //@ PROVED      state == 5
    for (int k = 0; k < 3; k++) {
        if (k == n) continue;
        a[k] = k;
    }
    //@ RESIDUAL!   a[2] == 2
    return 0;
}
