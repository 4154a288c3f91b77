// smalti: --checks bounds --function first
// What a contract calls valid is an array: it is no larger than an object can be.
/*@ requires \valid(a + (0..n-1)); */
int first(int *a, unsigned long n) {
    if (n > 0) {
        return a[0];                   //@ PROVED bounds   within the array
    }
    return 0;
}

int main(void) {
    int one[1] = {7};
    return first(one, 1);
}
