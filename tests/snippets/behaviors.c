//- accepted: two behaviors
/*@ requires x > -100;
    behavior negative: assumes x < 0; ensures \result == -x;
    behavior other: assumes x >= 0; ensures \result == x; */
int f(int x) { return x < 0 ? -x : x; }
//- accepted: complete and disjoint, with names
/*@ behavior zero: assumes x == 0; ensures \result == 1;
    behavior more: assumes x != 0; ensures \result == 0;
    complete behaviors zero, more;
    disjoint behaviors zero, more; */
int f(int x) { return x == 0; }
//- accepted: complete and disjoint, without names
/*@ behavior zero: assumes x == 0; ensures \result == 1;
    behavior more: assumes x != 0; ensures \result == 0;
    complete behaviors;
    disjoint behaviors; */
int f(int x) { return x == 0; }
//- accepted: a behavior without assumes
/*@ behavior always: ensures \result == x; */
int f(int x) { return x; }
//- accepted: requires and assigns inside a behavior
int g;
/*@ behavior set:
      assumes x > 0;
      requires x < 10;
      assigns g;
      ensures g == x;
    behavior leave:
      assumes x <= 0;
      assigns \nothing; */
void f(int x) { if (x > 0) g = x; }
//- accepted: two assumes in a behavior
/*@ behavior both: assumes x > 0; assumes y > 0; ensures \result > 0; */
int f(int x, int y) { return x > 0 && y > 0 ? 1 : 0; }
//- refused: one name for two behaviors
/*@ behavior twice: assumes x < 0; ensures \result == x;
    behavior twice: assumes x >= 0; ensures \result == x; */
int f(int x) { return x; }
//- refused: complete behaviors with a name that does not exist
/*@ behavior zero: assumes x == 0; ensures \result == x;
    complete behaviors zero, absent; */
int f(int x) { return x; }
//- refused: disjoint behaviors with a name that does not exist
/*@ behavior zero: assumes x == 0; ensures \result == x;
    disjoint behaviors absent; */
int f(int x) { return x; }
//- refused: assumes outside of a behavior
/*@ assumes x > 0;
    ensures \result == x; */
int f(int x) { return x; }
//- refused: ensures before assumes
/*@ behavior late: ensures \result == x; assumes x > 0; */
int f(int x) { return x; }
//- refused: a behavior without a colon
/*@ behavior b assumes x > 0; ensures \result == x; */
int f(int x) { return x; }
//- refused: a behavior without a name
/*@ behavior : assumes x > 0; ensures \result == x; */
int f(int x) { return x; }
//- refused: the result in assumes
/*@ behavior odd: assumes \result == 1; ensures x == x; */
int f(int x) { return x; }
//- refused: a clause of the whole contract after the behaviors
/*@ behavior b: assumes x > 0; ensures \result > 0;
    complete behaviors b;
    ensures \result == x; */
int f(int x) { return x; }
//- refused: complete without the word behaviors
/*@ behavior b: assumes x > 0; ensures \result > 0;
    complete b; */
int f(int x) { return x; }
//- accepted: a keyword of C as the name of a behavior
/*@ behavior default: ensures \result == x; */
int f(int x) { return x; }
//- accepted: exits inside a behavior
/*@ behavior b: assumes x > 0; exits \false; */
int f(int x) { return x; }
//- refused: old inside assumes
/*@ behavior b: assumes \old(x) > 0; ensures \result == x; */
int f(int x) { return x; }
//- refused: assumes after requires
/*@ behavior b: requires x > 0; assumes x > 1; ensures \result == x; */
int f(int x) { return x; }
//- refused: a behavior after complete behaviors
/*@ behavior b: ensures \result == x;
    complete behaviors;
    behavior c: ensures \result == x; */
int f(int x) { return x; }
//- accepted: disjoint before complete
/*@ behavior b: ensures \result == x;
    disjoint behaviors;
    complete behaviors; */
int f(int x) { return x; }
