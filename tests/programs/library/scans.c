// smalti: --stages run,domains --stack values --checks bounds,assertion
// Functions that read by a format write only where their arguments lead.
#include <stdio.h>

int main(void) {
    int n = 1, m = 1, kept = 3, *p = &kept;
    char word[10], three[3], one = 'a';
    sscanf("12 ab", "%d %9s", &n, word);
    //@ RESIDUAL!   n == 1
    //@ PROVED      m == 1 && *p == 3
    if (n > 3) scanf("%10s", word);                     //@ RESIDUAL! bounds
    scanf("%*d%c", &one);
    //@ RESIDUAL!   one == 'a'
    //@ PROVED      m == 1
    scanf("%3c", three);
    scanf("%[^]%*d]%n", word, &m);
    //@ RESIDUAL!   m == 1
    //@ PROVED      *p == 3
    return 0;
}
