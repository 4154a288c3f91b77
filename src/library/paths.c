/* What functions of <libgen.h>, <stdlib.h> and <unistd.h> do that are about paths. What the file
   system says is any path, of less than 4096 bytes (`PATH_MAX`). Runs take those that every file
   system may have: the name of one file, of letters. */

typedef __typeof__(sizeof(0)) size_t;
void *malloc(size_t size);

enum { LONGEST_PATH = 4095, LONGEST_NAME = 200 };

/* The folder of "//" and "//a" may be "//" or "/". */

char *dirname(char *path)
{
    static char here[] = ".";
    size_t n = 0;
    if (path == 0) return here;
    while (path[n] != 0) n++;
    while (n > 1 && path[n - 1] == '/') n--;
    while (n > 0 && path[n - 1] != '/') n--;
    if (n == 0) return here;
    while (n > 1 && path[n - 1] == '/') n--;
    if (n == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') {
        if (__builtin_smalti_input("whether dirname() keeps two slashes", 0, 0)) n = 2;
    }
    path[n] = 0;
    return path;
}

/* `basename` of <libgen.h>. Of slashes alone, it may be the last one or the first one. */

char *__xpg_basename(char *path)
{
    static char here[] = ".";
    size_t n = 0, end;
    if (path == 0 || path[0] == 0) return here;
    while (path[n] != 0) n++;
    end = n;
    while (n > 1 && path[n - 1] == '/') n--;
    if (n == 1 && path[0] == '/') {
        if (__builtin_smalti_input("whether basename() finds the last slash", 0, 0)) return path + end - 1;
        path[1] = 0;
        return path;
    }
    if (n < end) path[n] = 0;
    while (n > 0 && path[n - 1] != '/') n--;
    return path + n;
}

/* Writes a path that the system knows, from a slash on. */
static void __smalti_any_path(char *to, size_t length)
{
    size_t n;
    for (n = 0; n < length; n++) {
        int c = __builtin_smalti_input("a character of a path", 'a', 'a');
        __builtin_smalti_assume(c >= 1 && c <= 255);
        to[n] = n == 0 ? '/' : (char)c;
    }
    to[length] = 0;
}

static size_t __smalti_any_length(void)
{
    int length = __builtin_smalti_input("the length of a path", 1, LONGEST_NAME);
    __builtin_smalti_assume(length >= 1 && length <= LONGEST_PATH);
    return (size_t)length;
}

/* Part of a path may have been written where there is none. */

char *realpath(const char *path, char *to)
{
    size_t n = 0, length;
    if (path == 0) return 0;
    while (path[n] != 0) n++;
    length = __smalti_any_length();
    if (to == 0) {
        if (__builtin_smalti_input("whether realpath() fails", 0, 0)) return 0;
        to = malloc(length + 1);
        if (to == 0) return 0;
        __smalti_any_path(to, length);
        return to;
    }
    __smalti_any_path(to, length);
    return __builtin_smalti_input("whether realpath() fails", 0, 0) ? 0 : to;
}

char *canonicalize_file_name(const char *path)
{
    return realpath(path, 0);
}

char *getcwd(char *to, size_t size)
{
    size_t length = __smalti_any_length();
    if (__builtin_smalti_input("whether getcwd() fails", 0, 0)) return 0;
    if (length >= size && (to != 0 || size != 0)) return 0;
    if (to == 0) to = malloc(size != 0 ? size : length + 1);
    if (to == 0) return 0;
    __smalti_any_path(to, length);
    return to;
}

/* Replaces the last six characters of a name, which have to be "XXXXXX". */
static int __smalti_new_name(char *name)
{
    size_t n = 0, k;
    while (name[n] != 0) n++;
    if (n < 6) return 0;
    for (k = n - 6; k < n; k++) {
        if (name[k] != 'X') return 0;
    }
    for (k = n - 6; k < n; k++) {
        int c = __builtin_smalti_input("a character of a new name", 'a', 'z');
        __builtin_smalti_assume(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z');
        name[k] = (char)c;
    }
    return 1;
}

int mkstemp(char *name)
{
    int file;
    if (!__smalti_new_name(name)) return -1;
    file = __builtin_smalti_input("the result of mkstemp()", -1, 1000);
    __builtin_smalti_assume(file >= -1);
    return file;
}

char *mkdtemp(char *name)
{
    if (!__smalti_new_name(name)) return 0;
    return __builtin_smalti_input("whether mkdtemp() fails", 0, 0) ? 0 : name;
}
