// Splits a line into tokens: numbers, which have a value, and operators, which have a priority.
extern char __VERIFIER_nondet_char(void);

struct token {
    enum { NUMBER, OPERATOR, END } kind;
    int value;
    int priority;
};

static int tokenise(const char *line, struct token *tokens, int most) {
    int n = 0;
    while (*line && n < most - 1) {
        if (*line >= '0' && *line <= '9') {
            tokens[n].kind = NUMBER;
            tokens[n].value = *line - '0';
            n++;
        } else if (*line == '+' || *line == '*') {
            tokens[n].kind = OPERATOR;
            tokens[n].priority = *line == '*' ? 2 : 1;
            n++;
        }
        line++;
    }
    tokens[n].kind = END;
    return n;
}

int main(void) {
    char line[11];
    for (int i = 0; i < 10; i++) line[i] = __VERIFIER_nondet_char();
    line[10] = '\0';
    struct token tokens[16];
    int n = tokenise(line, tokens, 16);
    int highest = 0, sum = 0;
    for (int i = 0; i < n; i++) {
#ifdef BROKEN
        if (tokens[i].priority > highest) highest = tokens[i].priority; // fails: initialised
#else
        if (tokens[i].kind == OPERATOR && tokens[i].priority > highest) highest = tokens[i].priority;
#endif
        if (tokens[i].kind == NUMBER) sum += tokens[i].value;
    }
    return highest + sum > 20;
}
