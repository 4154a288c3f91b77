// The invariants of `fill` are those that hold in both of its calls.

static void fill(int *to, int length, int by) {
    for (int i = 0; i < length; i++) {
        to[i] = by * i;
    }
}

int main(void) {
    int a[20], b[30];
    fill(a, 20, 3);
    fill(b, 30, 3);
    //@ assert a[19] == 57 && b[29] == 87;
    return 0;
}
