// smalti: --stack partition/octagon --stages domains
// smalti: --stages slice,unwind
// smalti: --stages prune
// smalti: --stages shrink,refine
// An array that others define holds any numbers, however many of them a reduced program keeps.
extern int numbers_of_others[];

int main(void) {
    int found = 0;
    for (int i = 0; i < 4; i++)
        if (numbers_of_others[i] != 0)
            found = 1;
    //@ RESIDUAL!   found == 0
    for (int i = 0; i < 4; i++) {
        //@ RESIDUAL!   numbers_of_others[i] == 0
    }
    return 0;
}
