// smalti: --stack smash/box
// A static local exists once and keeps its value between calls.
static int next(void) {
    static int count;
    count++;
    return count;
}

int main(void) {
    int a = next();
    int b = next();
    //@ PROVED      a == 1
    //@ PROVED      b == 2
    //@ VIOLATED    a == b
    return 0;
}
