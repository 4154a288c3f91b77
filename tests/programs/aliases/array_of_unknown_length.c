// smalti: --stack partition/octagon --stages domains
// smalti: --stages prune
// smalti: --stages slice,unwind,refine,shrink
// An array that another file defines holds any numbers, however many of them a reduced program
// keeps.
extern int numbers_of_others[];

int main(void) {
    for (int i = 0; i < 4; i++) {
        //@ RESIDUAL!   numbers_of_others[i] == 0
    }
    return 0;
}
