// smalti: --stack smash/box
// break leaves the switch, continue the iteration.
int main(void) {
    int odd = 0, even = 0;
    for (int i = 0; i < 6; i++) {
        switch (i % 2) {
        case 0:
            even++;
            break;
        default:
            odd++;
            continue;
        }
        even++;
    }
    //@ PROVED      odd == 3
    //@ PROVED      even == 6
    //@ VIOLATED    odd == even
    return 0;
}
