// Each cell is limited, in place.
#include <assert.h>
extern int input(void);

int main(void) {
    int n = input();
    if (n < 0) return 0;
    int a[n + 1];
    for (int i = 0; i < n; i++) a[i] = input();
    for (int i = 0; i < n; i++) {
        if (a[i] > 255) a[i] = 255;
        if (a[i] < 0) a[i] = 0;
    }
    for (int i = 0; i < n; i++) assert(0 <= a[i] && a[i] <= 255);
    return 0;
}
