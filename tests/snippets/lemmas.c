//- accepted: a lemma about numbers
//@ lemma square: \forall integer n; n * n >= 0;
int f(int x) { return x; }
//- accepted: a lemma with a label
//@ lemma same{L}: \forall int *p; *p == \at(*p, L);
int f(int x) { return x; }
//- accepted: a lemma with two labels
//@ lemma kept{K, L}: \forall int *p; \at(*p, K) == \at(*p, L) ==> \at(*p, L) == \at(*p, K);
int f(int x) { return x; }
//- accepted: a lemma about a recursive function
//@ logic integer count(integer n) = n <= 0 ? 0 : 1 + count(n - 1);
//@ lemma counts: \forall integer n; n >= 0 ==> count(n) == n;
int f(int x) { return x; }
//- accepted: check and admit lemma
//@ check lemma a: 1 < 2;
//@ admit lemma b: 2 < 3;
int f(int x) { return x; }
//- refused: a lemma without a name
//@ lemma : 1 == 1;
int f(int x) { return x; }
//- refused: a lemma without a colon
//@ lemma plain 1 == 1;
int f(int x) { return x; }
//- refused: a lemma about an unknown name
//@ lemma odd: unknown_name == 1;
int f(int x) { return x; }
//- refused: a lemma with an equals sign for the colon
//@ lemma plain = 1 == 1;
int f(int x) { return x; }
//- accepted: a lemma that reads memory without a label
//@ lemma cell: \forall int *p; *p == *p;
int f(int x) { return x; }
//- refused, not by smalti (a lemma is only listed): a lemma that adds pointers
//@ lemma number: \forall int *p; p + p == p;
int f(int x) { return x; }
//- refused: a lemma inside a function
int f(int x) {
    //@ lemma inside: 1 == 1;
    return x;
}
//- refused: two lemmas of one name
//@ lemma twin: 1 == 1;
//@ lemma twin: 2 == 2;
int f(int x) { return x; }
