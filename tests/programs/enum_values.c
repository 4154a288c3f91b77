// smalti: --stack smash/box --stages domains
// Enumerators count from the last one named.
enum colour { RED, GREEN = 5, BLUE };

int main(void) {
    enum colour c = BLUE;
    //@ PROVED      c == 6
    //@ PROVED      RED == 0 && GREEN == 5
    c = GREEN;
    //@ PROVED      c == GREEN
    //@ RESIDUAL!   c == BLUE
    return 0;
}
