// smalti: --stack values --stages domains
// Pointers to pointers, in tables, in structs, to arrays and members, from an own allocator.
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct list { int count; struct node link; };
int a[10], b[20];
int *table[2] = {a, b}, sizes[2] = {10, 20};
char pool[256];
int used;
struct node nodes[8], *head;

static void *take(int bytes) {
    void *block = pool + used;
    used += bytes;
    return block;
}

int main(void) {
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < sizes[t]; i++) table[t][i] = i;                     //@ PROVED bounds
    //@ PROVED      a[9] == 9 && b[19] == 19
    int x = 1, y = 2, *p = &x, **pp = &p;
    **pp = 3;                                                                   //@ PROVED bounds
    *pp = &y;
    *p = 4;                                                                     //@ PROVED bounds
    //@ PROVED      x == 3 && y == 4
    int m[3][4] = {{0}}, (*row)[4] = m;
    for (int i = 0; i < 3; i++, row++)
        for (int j = 0; j < 4; j++) (*row)[j] = 4 * i + j;                      //@ PROVED bounds
    //@ PROVED      m[2][3] == 11 && m[1][0] == 4
    for (int i = 0; i < 8; i++) {
        nodes[i].value = i;
        nodes[i].next = head;
        head = &nodes[i];
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next) sum += n->value;                //@ PROVED bounds
    //@ PROVED      sum == 28
    struct list l = {0, {5, NULL}};
    struct node *link = &l.link;
    struct list *whole = (struct list *)((char *)link - offsetof(struct list, link));
    whole->count = 6;                                                           //@ PROVED bounds
    //@ PROVED      l.count == 6 && l.link.value == 5
    float **rows = take(4 * sizeof *rows);
    for (int i = 0; i < 4; i++) rows[i] = take(3 * sizeof **rows);              //@ PROVED bounds
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) rows[i][j] = 1.5f;                          //@ PROVED bounds
    //@ PROVED      rows[3][2] == 1.5f
    int n = __VERIFIER_nondet_int();
    if (n) p = NULL;
    if (n) x = *p;                                                              //@ RESIDUAL! bounds
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k <= 10) {
        int *q = k & 1 ? a : b;
        q += k;
        if (k < 10) *q = 50;                                                    //@ RESIDUAL bounds
        else a[k] = 1;                                                          //@ RESIDUAL! bounds
        //@ RESIDUAL!   a[3] == 3
        //@ PROVED      b[15] == 15
    }
    return 0;
}
