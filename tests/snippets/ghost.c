//- accepted, not by smalti (ghost variables are not supported): a ghost variable
int f(int x) {
    //@ ghost int seen = x;
    //@ assert seen == x;
    return x;
}
//- accepted, not by smalti (ghost variables are not supported): a ghost variable is changed
int f(int x) {
    //@ ghost int steps = 0;
    while (x > 0) {
        x--;
        //@ ghost steps++;
    }
    //@ assert steps >= 0;
    return x;
}
//- accepted, not by smalti (ghost variables are not supported): a global ghost variable
//@ ghost int calls = 0;
/*@ ensures calls == \old(calls) + 1; */
void f(void) {
    //@ ghost calls++;
}
//- accepted: a ghost branch
int f(int x) {
    //@ ghost int sign = 0;
    /*@ ghost if (x > 0) sign = 1; else sign = -1; */
    return x;
}
//- accepted: a ghost label
int f(int x) {
    //@ ghost start: ;
    x = 0;
    //@ assert \at(x, start) == \at(x, Pre);
    return x;
}
//- accepted: a ghost block
int f(int x) {
    /*@ ghost { int t = x; t = t + 0; } */
    return x;
}
//- accepted: a ghost function
/*@ ghost int twice(int n) { return n + n; } */
int f(int x) { return x; }
//- accepted: a ghost loop with an invariant
int f(int x) {
    //@ ghost int k = 0;
    /*@ ghost
      /@ loop invariant 0 <= k <= 5;
         loop variant 5 - k; @/
      while (k < 5) k++;
    */
    return x;
}
//- accepted: a ghost parameter
/*@ ensures \result == x; */
int f(int x) /*@ ghost (int extra) */ { return x; }
//- refused, not by smalti (ghost code is only listed): a ghost field
struct s { int v; /*@ ghost int shadow; */ };
int f(struct s *p) { return p->v; }
//- refused, not by smalti (ghost code is only listed): ghost code changes a variable of the program
int f(int x) {
    //@ ghost x = 0;
    return x;
}
//- refused, not by smalti (ghost code is only listed): ghost code returns
int f(int x) {
    //@ ghost return 0;
    return x;
}
//- refused, not by smalti (ghost code is only listed): ghost code without a semicolon
int f(int x) {
    //@ ghost int hidden = 3
    return x;
}
//- refused, not by smalti (ghost code is only listed): ghost code uses an unknown name
int f(int x) {
    //@ ghost int hidden = unknown_name;
    return x;
}
//- refused, not by smalti (ghost code is only listed): ghost code calls a function of the program
int g(int n) { return n; }
int f(int x) {
    //@ ghost int hidden = g(x);
    return x;
}
//- accepted: a ghost else
int f(int x) {
    //@ ghost int t = 0;
    if (x > 0) x = 1;
    /*@ ghost else t = 1; */
    return x;
}
//- accepted: an empty ghost annotation
int f(int x) {
    //@ ghost ;
    return x;
}
//- refused, not by smalti (ghost code is only listed): a ghost variable of an integer without bounds
int f(int x) {
    //@ ghost integer big = x;
    return x;
}
