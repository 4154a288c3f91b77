// smalti: --stack values --stages domains --checks bounds,division
// What was found out about `*link` holds, until something that `*link` depends on is written.
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    struct node *next;
    int at;
};

static struct node node[40];
static struct node *head[2];
static int cells[4];

static struct node *any(void) {
    return &node[__VERIFIER_nondet_uchar() % 40];
}

static void take(struct node *n) {
    struct node **link = &head[__VERIFIER_nondet_uchar() % 2];
    while (*link != 0 && *link != n)
        link = &(*link)->next;                                  //@ PROVED bounds
    if (*link != 0)
        *link = (*link)->next;                                  //@ PROVED bounds
}

static void change(struct node *n) {
    n->at = 7;
}

static void stays(struct node *n, struct node *other) {
    int x = 0;
    if (n->at < 4) {
        x = 5;
        other->next = 0;
        cells[n->at] = x;                                       //@ PROVED bounds
        cells[n->at] = 1;                                       //@ PROVED bounds
    }
    n->at = 2;
    cells[n->at] = x;                                           //@ PROVED bounds
}

static void is_written(struct node *n, struct node *other) {
    if (n->at < 4) {
        other->at = 9;
        int at = n->at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
}

static void is_written_by_a_call(struct node *n, struct node *other) {
    if (n->at < 4) {
        change(other);
        int at = n->at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
}

static void leads_elsewhere(struct node *n) {
    if (n->next != 0 && n->next->at < 4) {
        n->next = any();
        int at = n->next->at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
}

static void moves(int i, int j) {
    if (node[i].at < 4) {
        i = j;
        int at = node[i].at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
}

static void moves_around(int i) {
    while (__VERIFIER_nondet_uchar()) {
        if (node[i].at >= 4)
            break;
        if (__VERIFIER_nondet_uchar())
            i = __VERIFIER_nondet_uchar() % 40;
        int at = node[i].at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
}

static void after_one_branch(struct node *n) {
    if (__VERIFIER_nondet_uchar() && n->at >= 4)
        return;
    int at = n->at;
    cells[at] = 1;                                              //@ RESIDUAL! bounds
}

static void is_copied_over(struct node *n, struct node *other) {
    if (n->at < 4) {
        *other = node[39];
        int at = n->at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
}

static void is_filled(struct node *n, struct node *other) {
    if (n->at < 4) {
        memset(other, 1, sizeof *other);
        int at = n->at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
        n->at = 0;
    }
}

static int in_a_call_of_itself(struct node *n, int depth) {
    if (n->at < 4) {
        if (depth > 0 && __VERIFIER_nondet_uchar())
            in_a_call_of_itself(any(), depth - 1);
        int at = n->at;
        cells[at] = 1;                                          //@ RESIDUAL! bounds
    }
    n->at = 9;
    return 0;
}

static void writes_itself(struct node **link) {
    if (*link != 0) {
        link = (struct node **)&link;
        cells[link != 0] = 1;                                   //@ PROVED bounds
    }
}

int main(void) {
    for (int i = 0; i < 40; i++) {
        struct node **h = &head[__VERIFIER_nondet_uchar() % 2];
        node[i].next = *h;
        node[i].at = __VERIFIER_nondet_uchar() % 40;
        *h = &node[i];
    }
    take(any());
    stays(any(), any());
    is_written(any(), any());
    is_written_by_a_call(any(), any());
    leads_elsewhere(any());
    is_copied_over(any(), any());
    is_filled(any(), any());
    in_a_call_of_itself(any(), 3);
    moves(__VERIFIER_nondet_uchar() % 40, __VERIFIER_nondet_uchar() % 40);
    moves_around(__VERIFIER_nondet_uchar() % 40);
    after_one_branch(any());
    writes_itself(&head[0]);
    return 0;
}
