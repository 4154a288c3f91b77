// smalti: --stages bounded --checks bounds,assertion
// What functions of <stdio.h> read are inputs of a failing run.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int letters[26];

static void count(void) {
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (!isalpha(c)) continue;
        letters[c - 'a'] = 1;                        //@ VIOLATED bounds     an upper case letter
    }
}

static void shorten(void) {
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        char last = line[length - 1]; //@ VIOLATED bounds   a line that begins with a 0
        if (last == '\n') line[length - 1] = 0;
    }
}

static void find(void) {
    char line[10];
    if (!fgets(line, sizeof line, stdin)) return;
    //@ VIOLATED    strchr(line, '\n') != 0         a long line
    char *colon = strchr(line, ':');
    if (colon) return;
    *colon = 0;                                     //@ VIOLATED bounds     no colon
}

static void copy(void) {
    unsigned char block[4];
    size_t n = fread(block, 1, sizeof block, stdin);
    //@ VIOLATED    n > 1
    if (n < 4) return;
    //@ VIOLATED    block[3] != 'a'
    n = fwrite(block, 1, n, stdout);
    //@ RESIDUAL    n == 4
}

int main(void) {
    switch (fgetc(stdin)) {
    case 0: shorten(); break;
    case 'a': count(); break;
    case '2': find(); break;
    default: copy();
    }
    return 0;
}
