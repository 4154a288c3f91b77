// smalti: --stages domains --stack values
// What functions about paths and lines write, and what they return.
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);

static int folders(void) {
    char path[] = "/srv/data/", copy[16];
    memcpy(copy, path, sizeof path);
    char *folder = dirname(path), *name = basename(copy);
    return folder[0] + name[0];             //@ PROVED bounds
}

static int known(const char *name) {
    char *found = realpath(name, 0);
    if (!found) return 0;
    int is_root = found[1] == 0;            //@ PROVED bounds
    //@ PROVED      found[0] == '/'
    free(found);                            //@ PROVED lifetime
    return is_root;
}

static int here(void) {
    char small[8];
    if (!getcwd(small, sizeof small)) return 0;
    //@ PROVED      small[0] == '/'
    return small[7] == 0;                   //@ RESIDUAL! initialised
}

static int lines(void) {
    char *line = 0;
    size_t size = 0;
    int n = 0;
    while (getline(&line, &size, stdin) > 0 && n < 9) n += line[0] != '#'; //@ RESIDUAL initialised
    free(line);                             //@ PROVED lifetime
    return n;
}

static int parts(const char *text) {
    char *part = strndup(text, 3);
    int c = part[0];                        //@ PROVED bounds
    part[3] = 'x';                          //@ RESIDUAL! bounds
    free(part);
    return c;
}

int main(int argc, char **argv) {
    int r = folders() + here() + lines();
    if (argc > 1) r += known(argv[1]) + parts(argv[1]);
    return r & 1;
}
