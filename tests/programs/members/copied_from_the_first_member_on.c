// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// `memcpy` and `memset` of a whole object may name its first member.
#include <string.h>
struct pair { int first, second; };

int main(void) {
    struct pair from = {1, 2}, to = {0, 0};
    memcpy(&to.first, &from.first, sizeof to);
    //@ RESIDUAL!   to.second == 0
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}}, copy[2][3] = {{0}};
    memcpy(copy[0], rows[0], sizeof copy);
    //@ RESIDUAL!   copy[1][1] == 0
    int set[2][3] = {{0}};
    memset(set[0], 1, sizeof set);
    //@ RESIDUAL!   set[1][1] == 0
    return 0;
}
