// One sum for each row.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int m[40][30], v[30], r[40];
int main(void) {
    for (int j = 0; j < 30; j++) v[j] = j;
    for (int i = 0; i < 40; i++) {
        r[i] = 0;
        for (int j = 0; j < 30; j++) {
            m[i][j] = i + j;
            r[i] += m[i][j] * v[j];
        }
    }
    assert(r[0] == 8555);
    return 0;
}
