// smalti: --stages run,domains --stack values --checks bounds,assertion
// What `sprintf` and its relatives write, and how much.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void message(char *to, size_t room, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(to, room, format, list);
    va_end(list);
}

int main(int argc, char **argv) {
    char number[12], name[16], path[32], small[11], part[4], wide[8], cut[6];
    int kept = 3, n = argc;
    (void)argv;
    sprintf(number, "%d", n);                           //@ PROVED bounds
    //@ PROVED      kept == 3
    //@ RESIDUAL!   number[0] == '7'
    sprintf(small, "%d", n);                            //@ RESIDUAL! bounds
    int length = snprintf(name, sizeof name, "<%s>", number);   //@ PROVED bounds
    //@ PROVED      length >= 2 && length <= 13
    //@ RESIDUAL    length >= 3
    sprintf(path, "%s/%s", "folder", name);             //@ RESIDUAL bounds   too many lengths
    sprintf(part, "%s", "abc");                         //@ PROVED bounds
    sprintf(part, "%c%c%%", n, n);
    sprintf(wide, "%7x", 3);                            //@ RESIDUAL! bounds
    snprintf(wide, 8, "%x", n);                         //@ PROVED bounds
    snprintf(wide, 0, "%s", "nothing is written");
    length = snprintf(cut, sizeof cut, "%s", "too long for it");    //@ PROVED bounds
    //@ PROVED      length == 15
    message(cut, sizeof cut, "%d and %d", n, n);
    //@ PROVED      kept == 3
    return 0;
}
