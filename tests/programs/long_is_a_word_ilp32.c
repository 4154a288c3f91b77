// smalti: --stack smash/box --data-model ilp32
// With ilp32, long and pointers have 32 bits.
int main(void) {
    unsigned long x = 4294967295u;
    x = x + 1;
    //@ PROVED      x == 0
    //@ PROVED      sizeof(long) == 4
    //@ PROVED      sizeof(int *) == 4
    //@ PROVED      sizeof(long long) == 8
    return 0;
}
