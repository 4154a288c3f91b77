// smalti: --stages run,domains --stack values --checks bounds,assertion
// A function of the system that was handed one may call it later, from another.
#include <search.h>
#include <unistd.h>

static int kept = 3;
static int compare(const void *a, const void *b) {
    kept++;
    return *(const char *)a - *(const char *)b;
}

int main(void) {
    void *root = 0;
    nice(1);
    //@ RESIDUAL    kept == 3
    tsearch("a", &root, compare);
    nice(1);
    //@ RESIDUAL!   kept == 3
    return 0;
}
