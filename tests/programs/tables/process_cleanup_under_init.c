// smalti: --stages domains --stack relation/partition/octagon --function cleanup --checks assertion,bounds
/* The part of Minix 1.1's cleanup that Liu and Rival, VMCAI 2015, show in their figure 3; figure 4 has the states at the points that are named. */
struct mproc { int mparent; int mpflag; } mproc[24];
/*@ predicate correct =
        (\forall integer p; 0 <= p < 24 ==> mproc[p].mpflag >= 0)
     && (\forall integer p; 0 <= p < 24 && mproc[p].mpflag > 0 ==>
            mproc[p].mpflag <= 63 && 0 <= mproc[p].mparent < 24 && mproc[mproc[p].mparent].mpflag > 0)
     && mproc[2].mpflag > 0;
*/
/*@ requires correct;
    requires 0 <= child < 24 && child != 2 && mproc[child].mpflag > 0; */
/*@ ensures correct; */                             //@ PROVED
/*@ ensures mproc[child].mpflag == 0; */            //@ RESIDUAL!
void cleanup(int child) {
    int parent = mproc[child].mparent;              // points 1 and 2: the child and its parent are in use
    if (parent == 2) {
        /*@ check mproc[parent].mpflag > 0; */      // point 3: the parent is init //@ PROVED
        mproc[parent].mpflag = 1;                   // point 4 //@ PROVED bounds
        mproc[child].mpflag = 0;                    // point 5: the child is a group of its own
        int i = 0;
        while (i < 24) {
            if (mproc[i].mpflag > 0)
                if (mproc[i].mparent == child)
                    mproc[i].mparent = 2;           //@ PROVED bounds
            i = i + 1;
        }
        i = 24;                                     // point 6: nobody's parent is the child
    }
}
int main(void) { return 0; }
