// smalti: --stack smash/box
// break leaves the innermost loop only.
int main(void) {
    int inner = 0, outer = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (j == 1) {
                break;
            }
            inner++;
        }
        outer++;
    }
    //@ PROVED      outer == 3
    //@ PROVED      inner == 3
    //@ VIOLATED    inner == 9
    return 0;
}
