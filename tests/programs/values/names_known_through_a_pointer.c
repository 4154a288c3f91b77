// smalti: --stages run,domains --stack values --checks bounds,assertion
// A function of another file that is called through a pointer knows names of the program, too.
int named = 3;
int *any_pointer(void);

int main(void) {
    int *(*function)(void) = any_pointer;
    int *p = function();
    named = 4;
    *p = 5;
    //@ RESIDUAL!   named == 4
    return 0;
}
