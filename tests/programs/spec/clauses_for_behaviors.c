// smalti: --stages run,domains,unwind --stack smash/octagon
/* `for b:` restricts a clause to the runs to which the behavior applied when the function began. */
int g;
/*@ behavior up:   assumes x > 0 && g == 1;   ensures \result >= 0;   //@ PROVED
    behavior down: assumes x < -5;  ensures \result <= 0; */   //@ PROVED
int f(int x) {
    int old = x;
    /*@ for up: assert x > 0; */               //@ PROVED
    /*@ for up, down: check x > 0; */          //@ VIOLATED
    /*@ for down: check x < -6; */             //@ VIOLATED
    x = 0;
    g = 7;
    /*@ for up: check old > 0 && g == 7; */    //@ PROVED
    /*@ for down: check old < -5; */           //@ PROVED
    /*@ for up: check old > 1; */              //@ VIOLATED
    if (old > 0) {
        /*@ for down: check \false; */         //@ PROVED
    }
    {
        int g = 9;
        /*@ for up: check g == 9 && old > 0; */ //@ PROVED
    }
    return x;
}
/*@ behavior some: assumes n > 0; */
int count(int n) {
    int i = 0, j = 0;
    /*@ for some: loop invariant 0 <= i <= n;  //@ PROVED
        for some: loop assigns i; */           //@ PROVED
    while (i < n) i++;
    /*@ for some: loop invariant j < n; */     // It fails at the end of the last iteration.
    while (j < n) j++;
    return i;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    g = x > 3;
    if (x == 1) g = 1;
    f(x);
    count(3);
    return 0;
}
