// smalti: --stack smash/box --stages domains
// Fields of the cells of an array have summaries of their own.
struct cell { int flag; int value; };
static struct cell t[8];

int main(void) {
    for (int i = 0; i < 8; i++) {
        t[i].flag = 1;
        t[i].value = 50;
    }
    //@ PROVED      t[3].flag >= 0 && t[3].flag <= 1
    //@ PROVED      t[3].value >= 0 && t[3].value <= 50
    //@ RESIDUAL!   t[3].value <= 49
    //@ TODO        t[3].flag == 1
    return 0;
}
