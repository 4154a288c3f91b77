// smalti: --stages summary --checks assertion
// Every run overflows within the loop, so that none comes to the branch that fails. What the loop
// would compute in integers without bounds proves nothing.
extern void reach_error(void);

int main(void) {
    int power = 1;
    for (int i = 0; i < 40; i++) power = power * 2;
    if (power < 1) reach_error();                 //@ RESIDUAL
    return 0;
}
