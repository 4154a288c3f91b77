// smalti: --stages run,domains,induction
// Labels: where the function and the loop began, where the iteration did, and labels of the source.
int t[4] = {1, 2, 3, 4};

/*@ ensures \forall integer k; 0 <= k < 4 ==> t[k] == \old(t[k]) + 1;      //@ PROVED
    ensures \result == \old(t[0]) && \result == \at(t[0], Pre);            //@ PROVED
*/
int increase(void) {
  int first = t[0];
  /*@ loop invariant 0 <= i <= 4;                                          //@ PROVED
      loop invariant \forall integer k; 0 <= k < i ==> t[k] == \at(t[k], Pre) + 1; //@ PROVED
      loop invariant \forall integer k; i <= k < 4 ==> t[k] == \at(t[k], Pre); */  //@ PROVED
  for (int i = 0; i < 4; i++) {
    t[i] = t[i] + 1;
    /*@ check t[i] == \at(t[i], LoopCurrent) + 1; */                       //@ PROVED
    /*@ check i == 0 ==> t[0] == \at(t[0], LoopEntry) + 1; */              //@ PROVED
  }
  return first;
}

int main(void) {
  int x = 5;
  increase();
Middle:
  t[0] = 9;
  /*@ check \at(t[0], Middle) == 9; */                                     //@ VIOLATED assertion
  /*@ check \at(t[0], Middle) == 2 && t[0] == 9 && \at(x, Middle) == 5; */ //@ PROVED
  /*@ check \let y = x < 3 ? 1 : 2; y == 2; */                             //@ PROVED
  return 0;
}
