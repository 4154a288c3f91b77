// smalti: --stack values --stages domains --checks bounds,division
// The result of a call tells what the function has found out, also about its arguments.
extern int __VERIFIER_nondet_int(void);

struct file {
    int users, place;
};

static struct file file[4];
static int cells[4];

static struct file *find(int n) {
    if (n < 0 || n >= 4)
        return 0;
    return &file[n];
}

static int spare(void) {
    int n = 0;
    while (n < 4 && file[n].users > 0)
        n++;
    return n < 4 ? n : -1;
}

static struct file *find_next(int n) {
    n++;
    if (n < 0 || n >= 4)
        return 0;
    return &file[n];
}

static struct file *find_through(int *n) {
    int old = *n;
    if (old < 0 || old >= 4)
        return 0;
    *n = 4;
    return &file[old];
}

static void checked(int n) {
    struct file *f = find(n);
    if (f == 0)
        return;
    f->users = 1;                                               //@ PROVED bounds
    cells[n] = 1;                                               //@ PROVED bounds
}

static void spares(void) {
    int n = spare();
    if (n < 0)
        return;
    cells[n] = 1;                                               //@ PROVED bounds
    file[n].users = 1;                                          //@ PROVED bounds
}

static void two_results(void) {
    int n = spare();
    int m = spare();
    if (n < 0)
        return;
    if (m < 0)
        return;
    cells[n] = cells[m];                                        //@ PROVED bounds
}

static void not_checked(int n) {
    struct file *f = find(n);
    if (f == 0)
        cells[n] = 1;                                           //@ RESIDUAL! bounds
}

static void the_next_one(int n) {
    if (find_next(n) != 0)
        cells[n] = 1;                                           //@ RESIDUAL! bounds
}

static void changed_by_the_call(int n) {
    if (find_through(&n) != 0)
        cells[n] = 1;                                           //@ RESIDUAL! bounds
}

static int same_variable(int n) {
    n = spare() + (find(n) != 0) * 4;
    return cells[n];                                            //@ RESIDUAL! bounds
}

int main(void) {
    checked(__VERIFIER_nondet_int());
    spares();
    two_results();
    not_checked(__VERIFIER_nondet_int());
    the_next_one(__VERIFIER_nondet_int());
    changed_by_the_call(__VERIFIER_nondet_int());
    return same_variable(__VERIFIER_nondet_int() & 15);
}
