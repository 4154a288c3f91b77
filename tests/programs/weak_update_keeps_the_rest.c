// smalti: --stack smash/box
// One cell changes, the others keep their values.
static int a[3];

int main(void) {
    a[1] = 7;
    //@ PROVED      a[0] == 0
    //@ PROVED      a[1] == 7
    //@ VIOLATED    a[2] == 7
    return 0;
}
