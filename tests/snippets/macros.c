//- accepted: a constant macro
#define LIMIT 10
/*@ requires 0 <= x < LIMIT; */
int f(int x) { return x; }
//- accepted: a macro with operators and parentheses
#define DOUBLE (5 + 5)
/*@ requires x < DOUBLE; */
int f(int x) { return x; }
//- accepted: a macro with operators and no parentheses
#define SUM 5 + 5
/*@ requires x < SUM; */
int f(int x) { return x; }
//- accepted: a macro with parameters
#define BETWEEN(a, b, c) ((a) <= (b) && (b) <= (c))
/*@ requires BETWEEN(0, x, 9); */
int f(int x) { return x; }
//- accepted: a macro that is a formula
#define IN_RANGE (x > 0)
/*@ requires IN_RANGE; */
int f(int x) { return x; }
//- refused: a macro that is defined later
/*@ requires x < LATER; */
int f(int x) { return x; }
#define LATER 10
//- refused: a macro that was undefined
#define GONE 10
#undef GONE
/*@ requires x < GONE; */
int f(int x) { return x; }
//- accepted, not by smalti (the text of a macro is read as one term): a macro that names a predicate
#define SMALL tiny
//@ predicate tiny(integer n) = n < 3;
/*@ requires SMALL(x); */
int f(int x) { return x; }
//- accepted: a macro that is a clause
#define NONZERO requires x != 0;
/*@ NONZERO */
int f(int x) { return x; }
//- accepted: a macro that names a type
#define WORD unsigned short
int f(int x) {
    //@ assert \forall WORD w; w >= 0;
    return x;
}
//- refused: a macro with too few arguments
#define PLUS(a, b) ((a) + (b))
/*@ requires PLUS(x) > 0; */
int f(int x) { return x; }
//- accepted: an enumeration constant
enum colour { RED, GREEN = 4 };
/*@ requires RED <= x <= GREEN; */
int f(int x) { return x; }
//- accepted: an empty macro
#define NOTHING
/*@ requires x NOTHING > 0; */
int f(int x) { return x; }
//- refused: a macro that is empty where a number belongs
#define NOTHING
/*@ requires x > NOTHING; */
int f(int x) { return x; }
//- refused: a macro that is a string
#define TEXT "text"
/*@ requires x == TEXT; */
int f(int x) { return x; }
//- accepted: a macro in a bound of a range
#define SIZE 8
int t[SIZE];
/*@ assigns t[0 .. SIZE - 1]; */
void f(void) { t[3] = 0; }
