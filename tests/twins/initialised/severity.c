// The severity of a log line, by its first letter.
extern char __VERIFIER_nondet_char(void);

enum severity { DEBUG, NOTICE, WARNING, ERROR };

static enum severity severity_of(char letter) {
    enum severity s;
    switch (letter) {
    case 'D':
    case 'd': s = DEBUG; break;
    case 'N':
    case 'n': s = NOTICE; break;
    case 'W':
    case 'w': s = WARNING; break;
    case 'E':
    case 'e': s = ERROR; break;
#ifndef BROKEN
    default: s = NOTICE; break;
#endif
    }
    return s; // fails: initialised
}

int main(void) {
    int counts[4] = {0};
    for (int i = 0; i < 20; i++) counts[severity_of(__VERIFIER_nondet_char()) & 3]++;
    return counts[ERROR] > 0;
}
