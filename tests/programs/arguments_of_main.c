// smalti:
int main(int argc, char **argv) {
    //@ PROVED  argc >= 0     C11 5.1.2.2.1
    //@ PROVED  argv != 0
    //@ VIOLATED  argc == 0
    //@ VIOLATED  argc < 3
    return 0;
}
