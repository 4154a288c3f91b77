// smalti: --function through --checks assertion,bounds
// The contract does not say where the pointer in the struct leads: it may be to `x`.
struct node { int value; int *where; };

/*@ requires \valid(n) && \valid(x);
    check ensures *x == 1;                                                        //@ RESIDUAL!
*/
void through(struct node *n, int *x) {
  *x = 1;
  *n->where = 2;
}

int main(void) { return 0; }
