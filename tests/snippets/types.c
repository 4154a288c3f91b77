//- accepted: a field of a struct
struct s { int a, b; };
/*@ requires s.a < 100; ensures \result == s.a; */
int f(struct s s) { return s.a; }
//- refused: a field that does not exist
struct s { int a, b; };
/*@ requires s.c == 0; */
int f(struct s s) { return s.a; }
//- accepted, not by smalti (structs and arrays are not compared): structs are compared
struct s { int a, b; };
/*@ requires s == t; */
int f(struct s s, struct s t) { return s.a == t.b; }
//- refused: structs are ordered
struct s { int a, b; };
/*@ requires s < t; */
int f(struct s s, struct s t) { return s.a == t.b; }
//- refused: a field of a number
/*@ requires x.a == 0; */
int f(int x) { return x; }
//- refused: an arrow after a struct
struct s { int a; };
/*@ requires s->a == 0; */
int f(struct s s) { return s.a; }
//- refused: a dot after a pointer
struct s { int a; };
/*@ requires p.a == 0; */
int f(struct s *p) { return p->a; }
//- accepted, not by smalti (unions are not supported): a member of a union
union u { int i; unsigned char c[4]; };
/*@ requires u.c[0] == 0; */
int f(union u u) { return u.i; }
//- accepted, not by smalti (structs and arrays are not compared): a struct with a field changed
struct s { int a, b; };
/*@ requires \valid(p); ensures *p == {\old(*p) \with .a = (int)3}; */
void f(struct s *p) { p->a = 3; }
//- accepted, not by smalti (real numbers are not supported): a floating-point variable
/*@ requires 0.0 <= d <= 1.0; */
int f(double d) { return d > 0.5; }
//- accepted, not by smalti (real numbers are not supported): a number that is not finite
/*@ requires \is_finite(d); */
int f(double d) { return d > 0.5; }
//- accepted, not by smalti (real numbers are not supported): a real number is compared with an integer
/*@ requires x < 2.5; */
int f(int x) { return x; }
//- accepted, not by smalti (strings are not read): a string
/*@ requires s == "hello"; */
int f(char *s) { return *s; }
//- accepted, not by smalti (strings are not read): a character of a string
/*@ ensures "hello"[1] == 'e'; */
int f(char *s) { return *s; }
//- accepted: a logic type as another name
//@ type number = integer;
//@ predicate positive(number n) = n > 0;
int f(int x) {
    //@ assert positive(3);
    return x;
}
//- refused: a logic type that is used before its definition
//@ predicate positive(number n) = n > 0;
//@ type number = integer;
int f(int x) { return x; }
//- accepted, not by smalti (invariants of types and of the program are not read): an invariant of a type
struct s { int a; };
//@ type invariant small(struct s s) = s.a < 10;
int f(struct s s) { return s.a; }
//- accepted, not by smalti (invariants of types and of the program are not read): a global invariant
int g;
//@ global invariant small: g < 10;
int f(void) { return g; }
//- accepted, not by smalti (model fields are not read): a model field
struct s { int a; };
//@ model struct s { integer size; };
int f(struct s s) { return s.a; }
//- refused: two types of one name
//@ type shade = integer;
//@ type shade = real;
int f(int x) { return x; }
//- accepted, not by smalti (logic types are not read): a list
int f(int x) {
    //@ assert \length([| 1, 2, 3 |]) == 3;
    return x;
}
//- accepted: a bit-field
struct s { unsigned low : 3; };
/*@ requires s.low <= 7; */
int f(struct s s) { return s.low; }
//- accepted: an array field
struct s { int t[4]; };
/*@ requires \valid(p); ensures p->t[2] == 5; */
void f(struct s *p) { p->t[2] = 5; }
//- accepted: an array of arrays
int m[3][4];
/*@ ensures m[1][2] == 6; */
void f(void) { m[1][2] = 6; }
//- accepted, not by smalti (structs and arrays are not compared): an array is compared with an array
int s[3], t[3];
/*@ requires s == t; */
int f(void) { return s[0] == t[0]; }
//- refused: too many indexes
int t[3];
/*@ requires t[0][0] == 1; */
int f(void) { return t[0]; }
//- refused: an index that is a pointer
int t[3];
/*@ requires t[p] == 1; */
int f(int *p) { return t[0] + *p; }
//- refused: a type as a term
/*@ requires int == x; */
int f(int x) { return x; }
//- accepted: a volatile or const parameter
/*@ requires x > 0; ensures \result == x; */
int f(const int x) { return x; }
//- accepted, not by smalti (logic types are not read): a logic type with constructors
//@ type direction = North | South;
int f(int x) {
    //@ assert North != South;
    return x;
}
//- refused: a match
//@ type direction = North | South;
//@ logic integer turns(direction d) = \match d { case North: 0 case South: 2 };
int f(int x) { return x; }
