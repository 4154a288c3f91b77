// smalti: --stack box,smash/box --stages domains
// The first stack knows nothing about arrays; what it leaves open goes to the second.
int a[10];

int main(void) {
    int i = 3;
    for (int k = 0; k < 10; k++) {
        a[k] = 7;
    }
    //@ PROVED      i == 3
    //@ PROVED      a[i] >= 0
    //@ RESIDUAL    a[i] == 7
    //@ RESIDUAL!   a[i] == 8
    return 0;
}
