// smalti: --stages run,domains --stack values --checks bounds,assertion
// What functions of <stdio.h> read and return.
#include <stdio.h>

static int counts[257], copied[8];

int main(void) {
    int c = getchar(), block[8] = {0}, after = 6;
    counts[c + 1]++;                                                            //@ PROVED bounds
    //@ PROVED      c == EOF || c >= 0 && c < 256
    //@ RESIDUAL!   c != EOF
    c = fgetc(stdin);
    //@ PROVED      c >= -1 && c <= 255
    c = getc(stdin);
    //@ PROVED      c >= -1 && c <= 255
    unsigned long n = fread(block, sizeof *block, 8, stdin);
    //@ PROVED      n <= 8 && after == 6
    //@ RESIDUAL!   n == 8
    //@ RESIDUAL    n == 0 || block[0] == 0
    for (unsigned long k = 0; k < n; k++) copied[k] = block[k];                 //@ PROVED bounds
    n = fwrite(block, 1, sizeof block, stdout);
    //@ PROVED      n <= 32
    return 0;
}
