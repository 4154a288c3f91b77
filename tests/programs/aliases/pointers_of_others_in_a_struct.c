// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages bounded,refine,shrink,prune
// Objects that other files define may hold addresses of the globals.
struct outside { int number; int *pointer; };
extern struct outside struct_of_others;
int global = 1;

int main(void) {
    *struct_of_others.pointer = 2;
    //@ RESIDUAL!   global == 1
    return 0;
}
