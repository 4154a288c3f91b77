// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine
// smalti: --stages shrink,prune
// smalti: --stages bounded
// A variable that is only declared holds any value, pointers to anything visible in other files
// included.
struct outside { int number; int *pointer; };
extern int number_of_others;
extern int numbers_of_others[4];
extern struct outside struct_of_others;
extern int *pointer_of_others;
int global = 1;

static int twice(void) {
    extern int number_of_others;
    return 2 * number_of_others;
}

int main(void) {
    //@ RESIDUAL!   number_of_others == 0
    //@ RESIDUAL!   numbers_of_others[2] == 0
    //@ RESIDUAL!   struct_of_others.number == 0
    //@ RESIDUAL!   twice() == 0
    //@ RESIDUAL!   pointer_of_others == 0
    *pointer_of_others = 2;
    //@ RESIDUAL!   global == 1
    global = 3;
    *struct_of_others.pointer = 4;
    //@ RESIDUAL!   global == 3
    return 0;
}
