// smalti: --stages run,domains --stack smash/octagon
/* Macros stand for their text: `TWICE(x + 1)` is `x + 1 * 2`, and `SUM * 2` is `1 + 2 * 2`. */
#define BETWEEN(a, b, c) ((a) <= (b) && (b) <= (c))
#define TWICE(x) x * 2
#define SUM 1 + 2
#define NOTHING
#define NONZERO requires n != 0;
#define WORD unsigned char
#define OUTER(x) BETWEEN(0, TWICE(x), SUM)
/*@ NONZERO */                                         //@ RESIDUAL!
void g(int n) { (void)n; }
int main(void) {
    int x = 1;
    /*@ check BETWEEN(0, x, 9); */                     //@ PROVED
    /*@ check BETWEEN(2, x, (9)); */                   //@ RESIDUAL!
    /*@ check TWICE(x + 1) == 3 NOTHING; */            //@ PROVED
    /*@ check TWICE(x + 1) == 4; */                    //@ RESIDUAL!
    /*@ check SUM * 2 == 5; */                         //@ PROVED
    /*@ check OUTER(x) && !OUTER(2); */                //@ PROVED
    /*@ check \forall WORD w; w <= 255; */             //@ PROVED
    g(x - 1);
    return 0;
}
