// smalti: --stack smash/box
// Structs in structs, with designated initialisers; what is not named is 0.
struct inner { int a, b; };
struct outer { struct inner in; int c; };

int main(void) {
    struct outer o = { .c = 3, .in = { .b = 2 } };
    //@ PROVED      o.in.a == 0
    //@ PROVED      o.in.b == 2
    //@ PROVED      o.c == 3
    o.in.a = o.c;
    //@ PROVED      o.in.a == 3
    //@ VIOLATED    o.in.b == 3
    return 0;
}
