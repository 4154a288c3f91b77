// smalti: --stages run,domains --stack values --checks bounds,assertion,lifetime
// The arguments of `main`, and what the library returns, lie in objects that are not the program's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int counts[256], kept = 3, *p = &kept;

int main(int argc, char **argv) {
    char *name = argv[0];
    if (name == 0) return 1;
    name[0] = 'x';                                      //@ PROVED bounds
    //@ PROVED      *p == 3
    //@ RESIDUAL!   argv[0][0] == 'x' || argc == 0
    name[1] = 'y';                                      //@ RESIDUAL! bounds
    //@ PROVED      *p == 3
    char *home = getenv("HOME");
    if (home != 0) {
        home[0] = 'z';                                  //@ PROVED bounds
        //@ RESIDUAL!   argv[0][0] == 'x'
    }
    if (argc > 2) name = argv[2];                       //@ PROVED bounds
    if (argc > 2) name = argv[3];                       //@ PROVED bounds
    if (argc > 2) name = argv[4];                       //@ RESIDUAL! bounds
    name = argv[0];
    *home = 'z';                                        //@ RESIDUAL! bounds
    time_t now = time(0);
    struct tm *parts = localtime(&now);
    if (parts != 0) counts[0] = parts->tm_year;         //@ PROVED bounds
    free(name);                                         //@ RESIDUAL! lifetime
    return 0;
}
