/* Brings all elements down to 7, but for a mistake in one iteration. */
int a[1000];

/*@ ensures \forall integer k; 0 <= k < 1000 ==> a[k] <= 7; */
void limit(void) {
    for (int i = 0; i < 1000; i++) {
        if (a[i] > 7)
            a[i] = 7;
        if (i == 500)
            a[3] = 9;
    }
}
