// smalti: --stages run,domains --stack values --checks bounds
// What `main` is told of its arguments is only known of a parameter that keeps its value.
int main(int argc, char **argv) {
    argc = argc + 2;
    if (argc > 2) return argv[2] != 0;  //@ RESIDUAL! bounds
    return 0;
}
