// Each cell takes the old value of the next one.
#include <assert.h>
extern int input(void);

int main(void) {
    int n = input();
    if (n < 1) return 0;
    int a[n], sum = 0, after = 0;
    for (int i = 0; i < n; i++) a[i] = input();
    for (int i = 0; i < n; i++) sum += a[i];
    int first = a[0];
    for (int i = 0; i < n - 1; i++) a[i] = a[i + 1];
    a[n - 1] = first;
    for (int i = 0; i < n; i++) after += a[i];
    assert(sum == after);
    return 0;
}
