// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,shrink,refine
// An array of unknown length that another file defines holds any values, pointers to anything
// visible there included.
extern int *pointers_of_others[];
int global = 1;

int main(void) {
    //@ RESIDUAL!   pointers_of_others[1] == 0
    *pointers_of_others[1] = 6;
    //@ RESIDUAL!   global == 1
    return 0;
}
