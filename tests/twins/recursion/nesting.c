// Checks that brackets match; open ones are kept on a small stack.
#define DEPTH 4
extern char __VERIFIER_nondet_char(void);

static char open[DEPTH];

static const char *match(const char *text, int depth) {
    while (*text) {
        switch (*text) {
        case '(':
        case '[':
#ifdef BROKEN
            if (depth > DEPTH) return 0;
#else
            if (depth >= DEPTH) return 0;
#endif
            open[depth] = *text; // fails: bounds
            text = match(text + 1, depth + 1);
            if (!text) return 0;
            if (*text != (open[depth] == '(' ? ')' : ']')) return 0;
            break;
        case ')':
        case ']':
            return text;
        }
        text++;
    }
    return text;
}

int main(void) {
    char text[10];
    for (int i = 0; i < 9; i++) text[i] = __VERIFIER_nondet_char();
    text[9] = '\0';
    const char *end = match(text, 0);
    return end && *end == '\0' ? 0 : 1;
}
