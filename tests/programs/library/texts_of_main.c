// smalti: --stages run,domains --stack values --checks bounds,assertion
// The arguments of a program are texts, of any length. What only reads them has nothing to prove.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    static int table[10];
    char copy[4];
    if (argc < 2) return 0;
    int n = atoi(argv[1]);
    if (strcmp(argv[1], "all") == 0) n = 9;
    size_t length = strlen(argv[1]);
    //@ RESIDUAL    length < 100
    if (n < 0 || n > 9) return 1;
    table[n] = 1;                                   //@ PROVED bounds
    strcpy(copy, argv[1]);
    return (int)strlen(copy);
}
