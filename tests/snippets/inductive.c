//- accepted: an inductive predicate over numbers
/*@ inductive even(integer n) {
      case zero: even(0);
      case step: \forall integer n; even(n) ==> even(n + 2);
    } */
int f(int x) {
    //@ assert even(0);
    return x;
}
//- accepted: an inductive predicate with labels
/*@ inductive walks{L}(int *a, integer k) {
      case stop{L}: \forall int *a; walks(a, 0);
      case go{L}: \forall int *a, integer k; a[k] > 0 && walks(a, k) ==> walks(a, k + 1);
    } */
int f(int x) { return x; }
//- accepted, not by smalti (inductive definitions are not read): an inductive predicate over a list
struct node { int value; struct node *next; };
/*@ inductive reaches{L}(struct node *a, struct node *b) {
      case here{L}: \forall struct node *a; reaches(a, a);
      case there{L}: \forall struct node *a, *b; reaches(a->next, b) ==> reaches(a, b);
    } */
int f(struct node *n) { return n != 0; }
//- accepted: an inductive predicate in a lemma
/*@ inductive tower(integer n) {
      case base: tower(1);
      case up: \forall integer n; tower(n) ==> tower(n * 2);
    } */
//@ lemma two: tower(2);
int f(int x) { return x; }
//- refused: a case without a name
/*@ inductive odd(integer n) {
      case odd(1);
    } */
int f(int x) { return x; }
//- refused: a case with a wrong number of arguments
/*@ inductive odd(integer n) {
      case one: odd(1, 2);
    } */
int f(int x) { return x; }
//- refused: a case without the word case
/*@ inductive odd(integer n) {
      one: odd(1);
    } */
int f(int x) { return x; }
//- refused: a brace is not closed
/*@ inductive odd(integer n) {
      case one: odd(1);
 */
int f(int x) { return x; }
//- refused: an unknown name in a case
/*@ inductive odd(integer n) {
      case one: odd(unknown_number);
    } */
int f(int x) { return x; }
//- accepted: a case that concludes something else
/*@ inductive odd(integer n) {
      case one: 1 == 1;
    } */
int f(int x) { return x; }
//- accepted: a negative occurrence
/*@ inductive odd(integer n) {
      case one: \forall integer n; !odd(n) ==> odd(n + 1);
    } */
int f(int x) { return x; }
//- accepted: no cases
/*@ inductive never(integer n) { } */
int f(int x) { return x; }
