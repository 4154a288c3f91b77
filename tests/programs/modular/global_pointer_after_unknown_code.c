// smalti: --stack smash/octagon --stages domains
// Code that is not there may assign to a pointer that is global, and to none that is not.
extern void unknown(void);
int x, *global;

int main(void) {
    int y = 0, *own = &y;
    global = &x;
    *global = 1;
    //@ PROVED      x == 1
    unknown();
    x = 2;
    *own = 4;                                                   //@ PROVED bounds
    //@ PROVED      x == 2 && y == 4
    *global = 3;                                                //@ RESIDUAL! bounds
    //@ RESIDUAL!   x == 2
    //@ RESIDUAL    y == 4   unknown code cannot know where `y` is
    return 0;
}
