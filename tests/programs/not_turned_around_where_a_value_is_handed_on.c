// smalti: --stages prune
// smalti: --stages shrink
// smalti: --stages domains
// The first iteration of the loop that counts down may leave `x` as it was.
#define N 1000
int main(void) {
    int a[N + 100], b[N];
    int x = 0;
    for (int i = N - 1; i >= 0; i--) {
        if (i >= 1) {
            if (a[i] > 5) x = 1;
        } else {
            x = 2;
        }
        b[i] = x;
    }
    for (int i = 0; i < N; i++) {
        //@ RESIDUAL!  b[i] != 0
    }
    return 0;
}
