// smalti: --stages run,domains --stack values --checks initialised
// What the library gets is read.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x, y, z, *p;
    (void)argv;
    if (argc > 1) x = 1;
    printf("%d", x);                //@ RESIDUAL! initialised
    if (argc > 2) putchar(y);       //@ RESIDUAL! initialised
    if (argc > 3) free(p);          //@ RESIDUAL! initialised
    exit(z);                        //@ RESIDUAL! initialised
}
