// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages bounded,refine,shrink,prune
// What others define may hold addresses of the globals.
struct entry { int key; int *value; };
extern struct entry entry;
int global = 1;

int main(void) {
    *entry.value = 2;
    //@ RESIDUAL!   global == 1
    return 0;
}
