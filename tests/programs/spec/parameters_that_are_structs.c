// smalti: --stages domains,unwind
/* In a postcondition, parameters have their values at the call. */
struct pair { int first; int second[2]; };
/*@ ensures p.first == 1; */           //@ PROVED
/*@ ensures p.second[1] == 4; */       //@ PROVED
int changed(struct pair p) { p.first = 5; p.second[1] = 6; return 0; }
/*@ ensures p.first == 5; */           //@ RESIDUAL!
int unchanged(struct pair p) { p.first = 5; return 0; }
int main(void) {
    struct pair a;
    a.first = 1;
    a.second[0] = 3;
    a.second[1] = 4;
    changed(a);
    return unchanged(a);
}
