// smalti: --stages summary --checks assertion
// Near misses: members of structs in arrays.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

struct account {
    int number;
    long long paid, owed;
    int days[3];
};

static struct account accounts[200];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 200) return 0;
    for (int i = 0; i < n; i++) {
        accounts[i].number = i + 1;
        accounts[i].paid = __VERIFIER_nondet_int();
        accounts[i].owed = -accounts[i].paid;
        accounts[i].days[1] = 7;
    }
    long long paid = 0, owed = 0, but_first = 0;
    for (int i = 0; i < n; i++) paid += accounts[i].paid;
    for (int i = n - 1; i >= 0; i--) owed += accounts[i].owed;
    for (int i = 1; i < n; i++) but_first += accounts[i].paid;
    __VERIFIER_assert(paid + owed == 0);      //@ PROVED
    //@ RESIDUAL! paid == owed  the sign
    //@ RESIDUAL! but_first + owed == 0  the first one is missing
    __VERIFIER_assert(but_first == paid - accounts[0].paid);      //@ PROVED
    for (int i = 0; i < n; i++) {
        if (accounts[i].number == i) reach_error();      //@ PROVED
        if (accounts[i].number != accounts[i].days[1]) continue;
        if (i != 6) reach_error();      //@ PROVED
        //@ RESIDUAL! i != 6  it is this one
        //@ RESIDUAL! accounts[i].days[0] == 7  another cell
    }
    struct account first = accounts[0];
    first.number = 5;
    __VERIFIER_assert(accounts[0].number == 1);      //@ PROVED
    //@ RESIDUAL! accounts[0].number == 5  it is a copy
    struct account *second = accounts + 1;
    second->number = 5;
    __VERIFIER_assert(accounts[1].number == 5);      //@ PROVED
    //@ RESIDUAL! accounts[1].number == 2  it is no copy
    return 0;
}
