// smalti: --stages domains
// Variables, elements, members and heap blocks that are written before they are read.
#include <stdlib.h>
#include <string.h>

struct part {
    char c;
    int n;
};

struct whole {
    struct part first, last;
    int table[4];
    unsigned low : 3, high : 5;
};

static void set(int *to, int n)
{
    *to = n;
}

static int divide(int a, int b, int *rest)
{
    if (b == 0)
        return -1;
    *rest = a % b;
    return a / b;
}

static void clear(struct whole *w)
{
    memset(w, 0, sizeof *w);
}

static struct part made(int n)
{
    struct part p;
    p.c = 1;
    p.n = n;
    return p;
}

static int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i]; //@ PROVED initialised
    return s;
}

static int factorial(int n, int *calls)
{
    int below;
    if (n <= 1) {
        *calls = 1;
        return 1;
    }
    int f = factorial(n - 1, &below);
    *calls = (below & 7) + 1; //@ PROVED initialised   the call below wrote it
    return n * f;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int(), x, rest, calls;
    if (choice < 0 || choice > 9)
        return 0;
    if (choice)
        x = 1;
    else
        x = 2;
    int y = x; // nothing to prove: x is written on both ways
    set(&x, 3);
    y += x; // nor here
    if (divide(choice, 3, &rest) >= 0)
        y += rest; //@ PROVED initialised

    int filled[10], copied[10];
    for (int i = 0; i < 10; i++)
        filled[i] = i;
    memcpy(copied, filled, sizeof copied);
    y += sum(filled, 10) + sum(copied, 10);
    y += copied[choice]; //@ PROVED initialised

    struct whole a, b;
    clear(&a);
    b = a;
    y += b.last.n + b.high;   //@ PROVED initialised
    y += b.table[choice & 3]; //@ PROVED initialised
    a.first = made(2);
    y += a.first.c + a.first.n; //@ PROVED initialised

    int *block = malloc(4 * sizeof *block);
    for (int i = 0; i < 4; i++)
        block[i] = choice;
    y += block[choice & 3]; //@ PROVED initialised
    struct part *zeroed = calloc(3, sizeof *zeroed);
    y += zeroed[1].n; //@ PROVED initialised
    y += factorial(choice, &calls);
    y += calls & 1; //@ PROVED initialised
    return y > 0;
}
