// smalti: --stages run,domains --stack values --checks bounds,assertion
// The parts of a text, one after the other.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[] = " one, two", list[] = "a::b", other[] = "x=y";
    char *one = strtok(text, " ,"), *two = strtok(0, " ,"), *three = strtok(0, " ,");
    //@ PROVED      one == text + 1 && two == text + 6 && three == 0
    //@ PROVED      strcmp(one, "one") == 0 && strcmp(two, "two") == 0
    three = strtok(0, " ,");
    //@ PROVED      three == 0

    char *rest = list;
    one = strsep(&rest, ":");
    //@ PROVED      one == list && rest == list + 2
    two = strsep(&rest, ":");
    //@ PROVED      two == list + 2 && *two == 0 && rest == list + 3
    three = strsep(&rest, ":");
    //@ PROVED      three == list + 3 && rest == 0
    three = strsep(&rest, ":");
    //@ PROVED      three == 0

    one = strtok_r(other, "=", &rest);
    //@ PROVED      one == other && *rest == 'y'
    two = strtok_r(0, "=", &rest);
    //@ PROVED      two == other + 2 && *rest == 0
    //@ RESIDUAL    rest == other + 3      not all libraries stop there
    three = strtok_r(0, "=", &rest);
    //@ PROVED      three == 0

    char line[8];
    for (int i = 0; i < 7; i++) line[i] = (char)__VERIFIER_nondet_int();
    line[7] = 0;
    int parts = 0;
    for (char *part = strtok(line, " "); part != 0; part = strtok(0, " ")) {
        //@ RESIDUAL    *part != 0
        parts++;
    }
    //@ RESIDUAL!   parts < 4
    return 0;
}
