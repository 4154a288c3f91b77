// smalti: --stages domains
// Assembly changes its outputs, and memory if it says so.
int global, *outside = &global;

int main(void) {
    int x = 3, y = 4, seen = 5, a[4] = {0};
    __asm__("" : "+r"(x) : "r"(y));
    //@ RESIDUAL    x == 3   what the instructions do is not known
    //@ PROVED      y == 4
    global = 1;
    __asm__ volatile("" : "=m"(a[1]) : "m"(a[1]));
    //@ PROVED      global == 1 && a[0] == 0
    //@ RESIDUAL    a[1] == 0
    __asm__ volatile("" : : "r"(&seen) : "memory");
    //@ RESIDUAL    global == 1
    //@ RESIDUAL    seen == 5
    //@ PROVED      y == 4
    global = 2;
    asm("");
    //@ RESIDUAL    global == 2
    a[x & 3] = 1;                                               //@ PROVED bounds
    return 0;
}
