// smalti: --stages domains
// smalti: --stages unwind
// `continue` ends only the current iteration.
int main(void) {
    int first = 0, second = 0, third = 0;
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            continue;
        first = i;
    }
    //@ RESIDUAL!   first == 0
    int n = 0;
    while (n < 3) {
        n++;
        if (n == 1)
            continue;
        second = n;
    }
    //@ RESIDUAL!   second == 0
    //@ PROVED      n == 3
    do {
        n--;
        if (n == 2)
            continue;
        third = n + 1;
    } while (n > 0);
    //@ RESIDUAL!   third == 0
    //@ PROVED      n == 0
    return 0;
}
