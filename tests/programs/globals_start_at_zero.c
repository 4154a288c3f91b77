// smalti: --stack smash/box
// Static storage without an initialiser is 0, cell by cell.
int g;
int *p;
struct { int a; char b[3]; } s;
int table[4] = { 1, 2 };

int main(void) {
    //@ PROVED      g == 0
    //@ PROVED      p == 0
    //@ PROVED      s.a == 0 && s.b[2] == 0
    //@ PROVED      table[1] == 2 && table[3] == 0
    //@ VIOLATED    table[0] == 0
    return 0;
}
