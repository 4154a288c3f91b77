// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,shrink,refine
// An array of unknown length that others define holds any values, and its pointers may lead to all that others can name.
extern int *pointers_of_others[];
int global = 1;

int main(void) {
    //@ RESIDUAL!   pointers_of_others[1] == 0
    *pointers_of_others[1] = 6;
    //@ RESIDUAL!   global == 1
    return 0;
}
