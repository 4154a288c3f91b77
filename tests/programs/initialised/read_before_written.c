// smalti: --time-limit 20
// Reads of what nothing has written, each found by a run.
#include <stdlib.h>

struct pair {
    int a, b;
};

static struct pair half(int n)
{
    struct pair p;
    p.a = n;
    return p;
}

static int find(const int *array, int n, int x)
{
    int found;
    for (int i = 0; i < n; i++)
        if (array[i] == x)
            found = i;
    return found; //@ VIOLATED initialised   x is nowhere
}

static void get(int code, int *out)
{
    if (code > 0)
        *out = code;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int();
    if (choice == 0) {
        int primes[4] = {2, 3, 5, 7};
        return find(primes, 4, 6);
    }
    if (choice == 1) {
        int squares[4];
        for (int i = 1; i < 4; i++)
            squares[i] = i * i;
        return squares[0]; //@ VIOLATED initialised
    }
    if (choice == 2) {
        struct pair p = half(1);
        return p.b; //@ VIOLATED initialised   the copy lacks what its source lacks
    }
    if (choice == 3) {
        int *block = malloc(2 * sizeof *block);
        block[0] = 1;
        return block[1]; //@ VIOLATED initialised
    }
    int out, *p;
    get(choice, &out);
    if (choice > 9)
        p = &out;
    if (choice > -5)
        *p = 4; //@ VIOLATED initialised   the pointer
    return out; //@ VIOLATED initialised
}
