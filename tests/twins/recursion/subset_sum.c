// Whether some of the weights add up to a target; remembers which were chosen.
#define WEIGHTS 5
extern int __VERIFIER_nondet_int(void);

static int weights[WEIGHTS];
static int chosen[WEIGHTS], count;

static int reach(int next, int target) {
    if (target == 0) return 1;
#ifdef BROKEN
    if (target < 0) return 0;
#else
    if (target < 0 || next == WEIGHTS) return 0;
#endif
    chosen[count++] = next; // fails: bounds
    if (reach(next + 1, target - weights[next])) return 1; // fails: bounds
    count--;
    return reach(next + 1, target);
}

int main(void) {
    for (int i = 0; i < WEIGHTS; i++) {
        weights[i] = __VERIFIER_nondet_int();
        if (weights[i] < 1 || weights[i] > 50) return 1;
    }
    int target = __VERIFIER_nondet_int();
    if (target < 0 || target > 100) return 1;
    return reach(0, target) ? chosen[0] : -1;
}
