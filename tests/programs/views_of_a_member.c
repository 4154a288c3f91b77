// smalti: --stack smash/octagon --stages domains
// A pointer to elements of another size moves in other steps, and reads and writes other values.
struct packet {
    int length;
    char bytes[8];
    int words[8];
};

int main(void) {
    struct packet s = {0};
    s.bytes[1] = 1;
    s.bytes[2] = 2;
    short *pairs = (short *)s.bytes;
    char *third = (char *)(pairs + 1);
    //@ RESIDUAL!   *third == 1
    int length = *(int *)s.bytes;
    //@ RESIDUAL!   length <= 2
    *pairs = 0x0303;
    //@ RESIDUAL!   s.bytes[1] == 1
    char *byte = (char *)s.words + 4;
    int *second = (int *)byte;
    *second = 7;
    //@ RESIDUAL!   s.words[1] == 0     four bytes on is the next number
    //@ RESIDUAL!   *second == 0
    return 0;
}
