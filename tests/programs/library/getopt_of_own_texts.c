// smalti: --stages run,domains --stack values --checks bounds,assertion
// `getopt` with texts of the program: `optarg` leads into one of them.
#include <unistd.h>

static char first[] = "-b", second[] = "text", *texts[] = {first, second, 0};

int main(void) {
    texts[0] = first;
    if (getopt(2, texts, "b:") == 'b' && optarg != 0) {
        second[0] = 'x';
        optarg[0] = 'y';
        //@ RESIDUAL!   second[0] == 'x'
    }
    return 0;
}
