// A task as the Competition on Software Verification has them: is reach_error() never called?
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
void __VERIFIER_assert(int cond) {
    if (!cond) {
        reach_error();
    }
}

int main(void) {
    int a[1000], b[1000];
    for (int i = 0; i < 1000; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    int left = 0, right = 999;
    while (right >= 0) {
        b[left] = a[right];
        left = left + 1;
        right = right - 1;
    }
    __VERIFIER_assert(left == 1000);
    return 0;
}
