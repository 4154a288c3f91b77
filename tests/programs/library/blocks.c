// smalti: --stages run,domains --stack values --checks bounds,assertion
// Functions that compare and search blocks, and that take no notice of case.
#include <string.h>
#include <strings.h>
extern int __VERIFIER_nondet_int(void);

struct point { short x, y; };

int main(void) {
    int a[3] = {1, 2, 3}, b[3] = {1, 2, 4};
    //@ PROVED      memcmp(a, b, 8) == 0 && memcmp(a, b, sizeof a) < 0 && memcmp(b, a, 12) > 0
    //@ RESIDUAL!   memcmp(a, b, 12) == -1
    struct point p = {3, 4}, q = {3, 4};
    //@ PROVED      memcmp(&p, &q, sizeof p) == 0
    q.y = __VERIFIER_nondet_int();
    //@ RESIDUAL!   memcmp(&p, &q, sizeof p) == 0
    char text[] = "one,two";
    //@ PROVED      memchr(text, ',', 7) == text + 3 && memchr(text, ';', 7) == 0
    //@ PROVED      memchr(text, 0, 8) == text + 7
    //@ PROVED      strcasecmp("Get", "gET") == 0 && strcasecmp("Get", "gEu") < 0
    //@ PROVED      strncasecmp("GETTER", "get", 3) == 0 && strcasecmp("a", "[") > 0
    //@ RESIDUAL!   strcasecmp("b", "a") == 1
    return 0;
}
