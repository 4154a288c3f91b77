// smalti: --stages unwind
/* A check that fails ends nothing: a later failure is reported, and is not unreachable. */
int main(void) {
    int x = 1, n = 0, a[2] = { 1, 2 };
    /*@ check a[2] == 3; */            //@ RESIDUAL!
    /*@ check x == 2; */               //@ VIOLATED
    /*@ check x == 3; */               //@ VIOLATED
    while (n < 3) {
        /*@ check n > 0; */            //@ VIOLATED
        n++;
    }
    if (x > 3) {
        /*@ check x < 0; */            //@ UNREACHABLE
    }
    return 0;
}
