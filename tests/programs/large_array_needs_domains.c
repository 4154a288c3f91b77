// smalti: --stack smash/box --time-limit 20
// An array that no unwinding reaches: only the domains can prove it.
static int a[100000];

int main(void) {
    for (int i = 0; i < 100000; i++) {
        a[i] = i % 10;
    }
    int k = 31337;
    //@ PROVED      a[k] >= 0 && a[k] < 10
    return 0;
}
