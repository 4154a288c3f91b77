// smalti: --stack smash/octagon --stages domains
// smalti: --stack partition/octagon --stages domains
// A number of steps over rows of one length is another number over rows of another length.
int main(void) {
    int table[4][6] = {{0}};
    int half = 3;
    int(*p)[half] = (int(*)[half])table;
    p += 2;
    int(*q)[6] = (int(*)[6])p;
    q[0][0] = 7;
    //@ RESIDUAL!   table[1][0] == 0
    return 0;
}
