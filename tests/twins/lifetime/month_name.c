// The name of a month with its number, in a buffer.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static const char *const names[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static const char *label(int month) {
#ifdef BROKEN
    char text[8];
#else
    static char text[8];
#endif
    if (month < 1 || month > 12) return "?";
    text[0] = (char)('0' + month / 10);
    text[1] = (char)('0' + month % 10);
    text[2] = ' ';
    strcpy(text + 3, names[month - 1]);
    const char *result = text;
    return result;
}

int main(void) {
    const char *text = label(__VERIFIER_nondet_int());
    if (text[0] == '?') return 1; // fails: lifetime
    return text[3] == 'J';
}
