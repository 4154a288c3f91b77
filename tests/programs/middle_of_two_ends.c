// smalti: --stack smash/octagon --stages domains
// The middle of two ends lies between them, in each way to compute it.
extern int __VERIFIER_nondet_int(void);
int a[1000];

int main(void) {
    int low = 0, high = 999, x = __VERIFIER_nondet_int();
    while (low <= high) {
        int middle = low + (high - low) / 2;
        //@ PROVED      low <= middle && middle <= high
        //@ RESIDUAL!   low < middle
        if (a[middle] < x) low = middle + 1;                    //@ PROVED bounds
        else high = middle - 1;
    }
    unsigned long left = 0, right = 1000;
    while (left < right) {
        unsigned long middle = (left + right) / 2;
        //@ PROVED      left <= middle && middle < right
        if (a[middle] < x) left = middle + 1;                   //@ PROVED bounds
        else right = middle;
    }
    left = 0, right = 1000;
    while (left < right) {
        unsigned long middle = left + ((right - left) >> 1);
        if (a[middle] < x) left = middle + 1;                   //@ PROVED bounds
        else right = middle;
    }
    left = 0, right = 1000;
    while (left < right) {
        unsigned long middle = left + (right - left + 1) / 2;
        if (a[middle] < x) left = middle;                       //@ RESIDUAL! bounds
        else right = middle - 1;
    }
    int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
    if (0 <= from && from < to && to <= 1000) {
        int third = from + (to - from) / 3;
        //@ PROVED      from <= third && third < to
        int up = to - (to - from) / 2;
        //@ PROVED      from < up && up <= to
        //@ RESIDUAL!   up < to
        int two = from + 2 * ((to - from) / 2);
        //@ RESIDUAL!   two < to
        from = third;
        //@ RESIDUAL!   third < from
    }
    return 0;
}
