// smalti: --stages domains --function clear --checks bounds
// The number of elements has the widest unsigned type; the other contract clauses bound it.
/*@ requires n <= 1000 && \valid(a + (0 .. n-1)); */
void clear(int *a, unsigned long n) {
    unsigned long low = 0, high = n;
    for (unsigned long i = 0; i < n; i++) a[i] = 0;                     //@ PROVED bounds
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (a[middle] < 3) low = middle + 1;                            //@ PROVED bounds
        else high = middle;
    }
    if (n > 3) a[n] = 1;                                                //@ RESIDUAL! bounds
}

int main(void) { int t[3] = {1, 2, 3}; clear(t, 3); return 0; }
