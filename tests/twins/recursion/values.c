// Skips one value of a data format: a digit, a text in quotes, or a list in brackets.
extern char __VERIFIER_nondet_char(void);

static const char *skip_list(const char *p, int depth);

static const char *skip_text(const char *p) {
#ifdef BROKEN
    while (*p != '"') p++; // fails: bounds
#else
    while (*p && *p != '"') p++;
#endif
    return *p ? p + 1 : 0;
}

static const char *skip_value(const char *p, int depth) {
    if (*p >= '0' && *p <= '9') return p + 1;
    if (*p == '"') return skip_text(p + 1);
    if (*p == '[' && depth < 10) return skip_list(p + 1, depth + 1);
    return 0;
}

static const char *skip_list(const char *p, int depth) {
    while (*p != ']') {
        p = skip_value(p, depth);
        if (!p) return 0;
        if (*p == ',') p++;
    }
    return p + 1;
}

int main(void) {
    char text[9];
    for (int i = 0; i < 8; i++) text[i] = __VERIFIER_nondet_char();
    text[8] = '\0';
    const char *end = skip_value(text, 0);
    return end ? *end : -1;
}
