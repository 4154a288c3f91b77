// smalti: --function clear
int table[8];

/*@ requires \valid(p + (0 .. 2));
    ensures p[0] == 0 && p[2] == 0;       //@ PROVED
    ensures table[1] == \old(table[1]);   //@ VIOLATED
*/
void clear(int *p) {
  for (int i = 0; i < 3; i++) p[i] = 0;
}

int main(void) { return 0; }
