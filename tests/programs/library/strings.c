// smalti: --stages run,domains --stack values --checks bounds,assertion
// Functions of <string.h> are known by what they do.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static char *names[3] = {"one", "two", "three"};

static int find(const char *name) {
    for (int n = 0; n < 3; n++)
        if (strcmp(names[n], name) == 0) return n;
    return -1;
}

int main(void) {
    char text[16];
    strcpy(text, "seven");
    //@ PROVED      strlen(text) == 5
    strcat(text, " up");
    //@ PROVED      strlen(text) == 8 && text[6] == 'u'
    //@ PROVED      strcmp(text, "seven up") == 0 && strcmp(text, "seven") > 0
    //@ PROVED      strncmp(text, "seven", 5) == 0
    //@ PROVED      strchr(text, 'v') == text + 2 && strrchr(text, 'e') == text + 3
    //@ PROVED      strchr(text, 'x') == 0 && strstr(text, "ev") == text + 1
    //@ PROVED      strspn(text, "esv") == 4 && strcspn(text, " ") == 5
    //@ PROVED      strpbrk(text, "pu") == text + 6
    strncpy(text, "abc", 6);
    //@ PROVED      text[3] == 0 && text[5] == 0 && text[6] == 'u'
    //@ PROVED      find("two") == 1 && find("four") == -1
    //@ RESIDUAL!   strcmp("b", "a") == 2

    char line[8];
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 7; i++) line[i] = (char)(n >> i);
    line[7] = 0;
    unsigned long length = strlen(line);
    //@ PROVED      length <= 7
    //@ RESIDUAL!   length < 7
    char copy[8] = "1234567";
    strcpy(copy, line);
    //@ RESIDUAL!   copy[7] != 0
    return 0;
}
