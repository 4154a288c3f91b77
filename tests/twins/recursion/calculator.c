// A calculator by recursive descent: digits, + * / and parentheses.
extern char __VERIFIER_nondet_char(void);

static const char *at;
static int failed;

static unsigned sum(void);

static unsigned primary(void) {
    if (*at >= '0' && *at <= '9') return (unsigned)(*at++ - '0');
    if (*at == '(') {
        at++;
        unsigned value = sum();
        if (*at == ')') at++;
        else failed = 1;
        return value;
    }
    failed = 1;
    return 0;
}

static unsigned product(void) {
    unsigned value = primary();
    while (!failed && (*at == '*' || *at == '/')) {
        char op = *at++;
        unsigned right = primary();
        if (op == '*') {
            value *= right;
        } else {
#ifdef BROKEN
            if (failed) return 0;
#else
            if (right == 0) {
                failed = 1;
                return 0;
            }
#endif
            value /= right; // fails: division
        }
    }
    return value;
}

static unsigned sum(void) {
    unsigned value = product();
    while (!failed && *at == '+') {
        at++;
        value += product();
    }
    return value;
}

int main(void) {
    char text[8];
    for (int i = 0; i < 7; i++) text[i] = __VERIFIER_nondet_char();
    text[7] = '\0';
    at = text;
    unsigned value = sum();
    if (failed || *at != '\0') return 1;
    return value > 100;
}
