// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine
// smalti: --stages shrink,prune
// smalti: --stages bounded
// An input may be the address of a global, in whatever way it becomes a pointer.
extern long address_of_others;
extern int number_of_others;
union view { long number; int *pointer; };
int global = 1;

int main(void) {
    int local = 0;
    int *cast = number_of_others ? (int *)address_of_others : &local;
    *cast = 2;
    //@ RESIDUAL!   global == 1
    union view view;
    view.number = address_of_others;
    if (!number_of_others)
        view.pointer = &local;
    global = 3;
    *view.pointer = 4;
    //@ RESIDUAL!   global == 3
    int *overwritten = &local;
    long *over = (long *)&overwritten;
    if (number_of_others)
        *over = address_of_others;
    global = 5;
    *overwritten = 6;
    //@ RESIDUAL!   global == 5
    long numbers[2];
    numbers[0] = address_of_others;
    int **seen = (int **)&numbers[0];
    if (!number_of_others)
        *seen = &local;
    global = 7;
    **seen = 8;
    //@ RESIDUAL!   global == 7
    return 0;
}
