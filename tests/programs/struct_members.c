// smalti: --stack smash/box
// Members are independent; assignment copies them all.
struct point { int x, y; };

int main(void) {
    struct point p = { 1, 2 };
    struct point q;
    q = p;
    q.x = 10;
    //@ PROVED      p.x == 1 && p.y == 2
    //@ PROVED      q.x == 10 && q.y == 2
    //@ VIOLATED    p.x == q.x
    return 0;
}
