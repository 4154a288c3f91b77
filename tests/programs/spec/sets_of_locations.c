// smalti: --stages run,domains --stack smash/octagon
/* Sets in `assigns`: listed places, unions, and ranges with one end. */
int a, b, t[10];
/*@ assigns {a, b}; */                 //@ PROVED
void two(void) { a = b = 1; }
/*@ assigns \union({a}, t[3 ..]); */   //@ PROVED
void high(int i) { a = 2; if (3 <= i && i < 10) t[i] = 1; }
/*@ assigns t[4 ..]; */                //@ RESIDUAL!
void too_high(int i) { if (3 <= i && i < 10) t[i] = 1; }
/*@ assigns t[.. 5]; */                //@ PROVED
void low(int i) { if (0 <= i && i < 6) t[i] = 1; }
/*@ assigns t[.. 4]; */                //@ RESIDUAL!
void too_low(int i) { if (0 <= i && i < 6) t[i] = 1; }
/*@ assigns \empty; */                 //@ PROVED
int nothing(int i) { int j = i; return j; }
/*@ assigns p[1 ..]; */                //@ PROVED
void behind(int *p) { p[1] = 3; }
/*@ assigns p[1 ..]; */                //@ RESIDUAL!
void before(int *p) { p[0] = 3; }
int main(void) {
    two();
    high(3);
    high(9);
    too_high(3);
    low(5);
    too_low(5);
    nothing(1);
    behind(t);
    before(t);
    return 0;
}
