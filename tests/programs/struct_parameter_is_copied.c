// smalti: --stack smash/box
// A struct is passed by value, a pointer to it is not.
struct pair { int a, b; };

static int by_value(struct pair p) {
    p.a = 100;
    return p.a + p.b;
}

static void by_pointer(struct pair *p) {
    p->a = 100;
}

int main(void) {
    struct pair p = { 1, 2 };
    int sum = by_value(p);
    //@ PROVED      sum == 102
    //@ PROVED      p.a == 1
    by_pointer(&p);
    //@ PROVED      p.a == 100 && p.b == 2
    //@ VIOLATED    p.a == 1
    return 0;
}
