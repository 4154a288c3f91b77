// smalti: --stages summary --checks assertion
// Steps that are nearly of a shape that has a closed form, with the value that this would give.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), which = __VERIFIER_nondet_int();
    if (n < 0 || n > 9) return 0;
    int stays = 3, turns = 5, grows = 0, narrow = 300;
    for (int i = 0; i < n; i++) stays = stays == 3 ? 10 : 4;
    for (int i = 0; i < n; i++) turns = turns == 5 ? 1 : 1 - turns;
    for (int i = 0; i < 13; i++) grows = grows < 10 ? grows + 1 : grows + i;
    for (int i = 0; i < n; i++) narrow = (unsigned char)(narrow + 1);
    if (which == 1)
        __VERIFIER_assert(n < 2 || stays == 17);        //@ RESIDUAL!  it is 4: 3, 10, 4, 4
    if (which == 2)
        __VERIFIER_assert(n != 1 || turns == 0);        //@ RESIDUAL!  it is 1: 5, 1, 0, 1, 0
    if (which == 3)
        __VERIFIER_assert(grows == 13);                 //@ RESIDUAL!  10, and then 10, 11 and 12
    if (which == 4)
        __VERIFIER_assert(n != 0 || narrow == 44);      //@ RESIDUAL!  nothing was narrowed yet
    __VERIFIER_assert(grows == 43);                     //@ PROVED
    return 0;
}
