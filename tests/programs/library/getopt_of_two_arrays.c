// smalti: --stages run,domains --stack values --checks bounds,assertion
// Each call of `getopt` leads to the texts that it gets, whichever call comes next.
#include <unistd.h>

static char one[] = "-bx", two[] = "-by", *first[] = {one, one, 0}, *second[] = {two, two, 0};

int main(void) {
    for (int n = 0; n < 2; n++) {
        optind = 1;
        int found = getopt(2, first, "b:");
        char *text = optarg;
        if (found == 'b') {
            //@ RESIDUAL!   text != one + 2
        }
        optind = 1;
        found = getopt(2, second, "b:");
        text = optarg;
        if (found == 'b') {
            //@ RESIDUAL!   text != two + 2
        }
    }
    return 0;
}
