// smalti: --stack smash/box --stages domains
// A function without a body may change globals and what its arguments reach, and nothing else.
extern void unknown(int *);
int global;

int main(void) {
    int reached = 1, hidden = 2;
    global = 3;
    unknown(&reached);
    //@ RESIDUAL!   reached == 1
    //@ RESIDUAL!   global == 3
    //@ PROVED      hidden == 2
    return 0;
}
