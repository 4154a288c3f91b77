// smalti: --stages summary --checks assertion
// Near misses: cells that move by one, and by k.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

#define LENGTH 16

static long long total(const int *of) {
    long long sum = 0;
    int i = 0;
    do sum += of[i];
    while (++i < LENGTH);
    return sum;
}

int main(void) {
    int cells[LENGTH], old[LENGTH], k = __VERIFIER_nondet_int();
    for (int i = 0; i < LENGTH; i++) old[i] = cells[i] = __VERIFIER_nondet_int();
    long long before = total(cells);
    int first = cells[0];
    for (int i = 0; i < LENGTH - 1; i++) cells[i] = cells[i + 1];
    if (total(cells) - old[LENGTH - 1] != before - first) reach_error();      //@ PROVED
    //@ RESIDUAL! total(cells) == before  the last cell is there twice
    cells[LENGTH - 1] = first;
    if (total(cells) != before) reach_error();      //@ PROVED
    for (int i = 0; i < LENGTH - 1; i++) {
        __VERIFIER_assert(cells[i] == old[i + 1]);      //@ PROVED
        //@ RESIDUAL! cells[i + 1] == old[i]  the other way around
    }
    // This way, the last cell is everywhere.
    for (int i = LENGTH - 1; i > 0; i--) cells[i - 1] = cells[i];
    __VERIFIER_assert(cells[0] == first);      //@ PROVED
    //@ RESIDUAL! cells[0] == old[2]  it was read after it was written
    if (k < 0 || k >= LENGTH) return 0;
    int by[LENGTH];
    for (int i = 0; i < LENGTH; i++) by[(i + k) % LENGTH] = old[i];
    __VERIFIER_assert(by[k] == old[0]);      //@ PROVED
    //@ RESIDUAL! by[0] == old[k]  the other way around
    return 0;
}
