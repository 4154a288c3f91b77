// A matrix with its rows as columns.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int a[40][30], b[30][40];
int main(void) {
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            a[i][j] = __VERIFIER_nondet_int();
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 40; j++)
            b[i][j] = a[j][i];
    return 0;
}
