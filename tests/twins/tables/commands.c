// Commands by name, in a table that a row without a name ends.
#include <stdio.h>
#include <string.h>

static int help(int argc) { return puts("help, count, quit"), argc > 2; }
static int count(int argc) { return argc - 2; }
static int quit(int argc) { return (void)argc, 0; }

static const struct command {
    const char *name;
    int (*run)(int argc);
} commands[] = {
    {"help", help},
    {"count", count},
    {"quit", quit},
#ifndef BROKEN
    {NULL, NULL},
#endif
};

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    for (const struct command *c = commands; c->name; c++) // fails: bounds
        if (strcmp(c->name, argv[1]) == 0) return c->run(argc);
    printf("no command %s\n", argv[1]);
    return 1;
}
