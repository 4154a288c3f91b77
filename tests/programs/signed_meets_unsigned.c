// smalti: --stack smash/box
// In a comparison of int with unsigned the int becomes unsigned.
int main(void) {
    int minus = -1;
    unsigned one = 1;
    //@ VIOLATED    minus < one   -1 becomes the greatest unsigned value
    //@ PROVED      minus > one
    //@ PROVED      (long)minus < (long)one
    return 0;
}
