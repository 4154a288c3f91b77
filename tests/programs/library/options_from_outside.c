// smalti: --stages run,domains --stack values --checks bounds,assertion
// The options of a program lie in objects that are not the program's.
#include <unistd.h>

static int counts[256], kept = 3, *p = &kept;

int main(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "ab:")) != -1) {
        counts[(unsigned char)c]++;                     //@ PROVED bounds
        if (optarg != 0) optarg[0] = 'w';
        //@ PROVED      *p == 3
    }
    //@ PROVED      optind >= 1 || argc < 1
    return 0;
}
