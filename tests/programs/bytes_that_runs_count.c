// smalti: --checks bounds --stages run,bounded
// Runs follow pointers that count other elements than the object has, by bytes. An access to more
// bytes than the object has left is out of bounds, whatever its type.
extern int __VERIFIER_nondet_int(void);
struct pair { char c; int i; short s; };

static void beyond_one(void) {
    int x = 0;
    double *d = (double *)&x;
    *d = 1.0;                                   //@ VIOLATED bounds
}

static void beyond_an_array(void) {
    int a[3] = {0};
    long *l = (long *)a;
    l++;
    *l = 1;                                     //@ VIOLATED bounds
}

static void before(void) {
    int a[3] = {0};
    char *c = (char *)&a[1];
    c[-5] = 1;                                  //@ VIOLATED bounds
}

static void behind_a_member(void) {
    struct pair p = {1, 2, 3};
    char *c = (char *)&p + 8;
    *(short *)c = 4;                            //@ RESIDUAL bounds
    *(int *)(c + 4) = 5;                        //@ VIOLATED bounds
}

static void at_a_member(void) {
    struct pair p = {1, 2, 3};
    char *c = (char *)&p;
    int *i = (int *)(c + 4);
    *i = 7;                                     //@ RESIDUAL bounds
    int a[2] = {0};
    a[p.i - 5] = 1;                             //@ VIOLATED bounds
}

int main(void) {
    int which = __VERIFIER_nondet_int();
    if (which == 1) beyond_one();
    if (which == 2) beyond_an_array();
    if (which == 3) before();
    if (which == 4) behind_a_member();
    if (which == 5) at_a_member();
    return 0;
}
