// smalti: --stages domains
/* A formula that reads an object after its lifetime has no value. */
int *kept;
int *last;
int remember(void) { int z = 3; kept = &z; return 0; }
/*@ requires a[0] == 5; */               //@ PROVED
int first(int *a) { int *b = a; return b[0]; }
int main(void) {
    int *q;
    {
        int x = 1;
        int *r = &x;
        /*@ check r[0] == 1; */          //@ PROVED
        q = &x;
    }
    /*@ check q[0] == 1; */              //@ RESIDUAL!
    remember();
    /*@ check kept[0] == 3; */           //@ RESIDUAL!
    int i = 0;
    while (i < 3) {
        int y[2] = { i, i };
        if (i > 0) {
            /*@ check last[0] == i; */   //@ RESIDUAL!
        }
        last = y;
        y[0] = 5;
        first(y);
        i++;
    }
    return 0;
}
