// A machine with a stack; for each instruction, a table has its effect and how much it pops.
#define STACK 6
extern int __VERIFIER_nondet_int(void);

static unsigned stack[STACK];
static int top;

static void one(void) { stack[top++] = 1; }
static void twice(void) {
    stack[top] = stack[top - 1];
    top++;
}
static void add(void) {
    top--;
    stack[top - 1] += stack[top]; // fails: bounds
}
static void drop(void) { top--; }

static const struct instruction {
    void (*run)(void);
    int pops, pushes;
} instructions[] = {{one, 0, 1}, {twice, 1, 2}, {add, 2, 1}, {drop, 1, 0}};

static int step(unsigned code) {
    if (code >= sizeof instructions / sizeof instructions[0]) return -1;
    const struct instruction *i = &instructions[code];
#ifdef BROKEN
    if (top == 0 && i->pops > 0) return -1;
#else
    if (top < i->pops) return -1;
#endif
    if (top - i->pops + i->pushes > STACK) return -1;
    i->run();
    return 0;
}

int main(void) {
    for (int n = 0; n < 12; n++)
        if (step((unsigned)__VERIFIER_nondet_int()) != 0) break;
    return top;
}
