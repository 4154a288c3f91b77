// Splits the arguments of the program, KEY=VALUE, at their first equals sign.
#include <string.h>

static int is_true(const char *text) {
    return strcmp(text, "on") == 0 || strcmp(text, "1") == 0;
}

int main(int argc, char **argv) {
    int on = 0;
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
#ifdef BROKEN
        if (argv[i][0] == '-') continue;
#else
        if (argv[i][0] == '-' || !equals) continue;
#endif
        *equals = '\0'; // fails: bounds
        if (is_true(equals + 1)) on = 1;
    }
    return on;
}
