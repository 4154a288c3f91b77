// smalti: --function merge
struct point { int x, y; };

/*@ requires \valid(p) && \valid(q);
    ensures q->y == \old(p->y);           //@ PROVED
    ensures q->x == 0;                    //@ PROVED
    ensures p->x == \old(p->x);           //@ VIOLATED
*/
void merge(struct point *p, struct point *q) {
  q->x = 0;
  q->y = p->y;
}

int main(void) { return 0; }
