/* What the functions of <string.h> and <strings.h> do. Each reads and writes byte by byte what the
   standard says that it may, so that a string without an end, or too little room, is found. */

typedef __typeof__(sizeof(0)) size_t;
void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0) n++;
    return n;
}

size_t strnlen(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n] != 0) n++;
    return n;
}

char *strcpy(char *to, const char *from)
{
    size_t n = 0;
    while (from[n] != 0) {
        to[n] = from[n];
        n++;
    }
    to[n] = 0;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    size_t n = 0;
    while (from[n] != 0) {
        to[n] = from[n];
        n++;
    }
    to[n] = 0;
    return to + n;
}

char *strncpy(char *to, const char *from, size_t count)
{
    size_t n = 0;
    while (n < count && from[n] != 0) {
        to[n] = from[n];
        n++;
    }
    while (n < count) {
        to[n] = 0;
        n++;
    }
    return to;
}

char *strcat(char *to, const char *from)
{
    size_t end = 0, n = 0;
    while (to[end] != 0) end++;
    while (from[n] != 0) {
        to[end + n] = from[n];
        n++;
    }
    to[end + n] = 0;
    return to;
}

char *strncat(char *to, const char *from, size_t most)
{
    size_t end = 0, n = 0;
    while (to[end] != 0) end++;
    while (n < most && from[n] != 0) {
        to[end + n] = from[n];
        n++;
    }
    to[end + n] = 0;
    return to;
}

/* The standard gives only the sign of a result of a comparison. Some libraries return -1 and 1. */

static int __smalti_sign(int is_less)
{
    int result;
    if (is_less) {
        result = __builtin_smalti_input("the result of a comparison", -1, -1);
        __builtin_smalti_assume(result < 0);
    } else {
        result = __builtin_smalti_input("the result of a comparison", 1, 1);
        __builtin_smalti_assume(result > 0);
    }
    return result;
}

int strcmp(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] != 0 && b[n] != 0 && a[n] == b[n]) n++;
    if (a[n] == b[n]) return 0;
    return __smalti_sign((unsigned char)a[n] < (unsigned char)b[n]);
}

int strncmp(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] != 0 && b[n] != 0 && a[n] == b[n]) n++;
    if (n >= most || a[n] == b[n]) return 0;
    return __smalti_sign((unsigned char)a[n] < (unsigned char)b[n]);
}

/* Letters count as equal to their other case in the locale "C". */

static int __smalti_lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int strcasecmp(const char *a, const char *b)
{
    size_t n = 0;
    for (;;) {
        int x = __smalti_lower(a[n]), y = __smalti_lower(b[n]);
        if (x != y) return __smalti_sign(x < y);
        if (a[n] == 0 || b[n] == 0) return 0;
        n++;
    }
}

int strncasecmp(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most) {
        int x = __smalti_lower(a[n]), y = __smalti_lower(b[n]);
        if (x != y) return __smalti_sign(x < y);
        if (a[n] == 0 || b[n] == 0) return 0;
        n++;
    }
    return 0;
}

/* Both blocks have to be there as a whole, also if they differ early. */

int memcmp(const void *a, const void *b, size_t count)
{
    const unsigned char *x = a, *y = b;
    size_t n = 0;
    if (count == 0) return 0;
    (void)(x[count - 1] + y[count - 1]);
    while (n < count && x[n] == y[n]) n++;
    if (n >= count) return 0;
    return __smalti_sign(x[n] < y[n]);
}

/* The standard says that bytes after the one that is found are not read. */

void *memchr(const void *s, int c, size_t count)
{
    const unsigned char *x = s;
    size_t n;
    for (n = 0; n < count; n++)
        if (x[n] == (unsigned char)c) return (void *)(x + n);
    return 0;
}

char *strchr(const char *s, int c)
{
    size_t n = 0;
    while (s[n] != (char)c) {
        if (s[n] == 0) return 0;
        n++;
    }
    return (char *)s + n;
}

char *strrchr(const char *s, int c)
{
    char *last = 0;
    size_t n = 0;
    while (s[n] != 0) {
        if (s[n] == (char)c) last = (char *)s + n;
        n++;
    }
    return (char)c == 0 ? (char *)s + n : last;
}

size_t strspn(const char *s, const char *among)
{
    size_t n = 0;
    while (s[n] != 0) {
        size_t k = 0;
        while (among[k] != 0 && among[k] != s[n]) k++;
        if (among[k] == 0) break;
        n++;
    }
    return n;
}

size_t strcspn(const char *s, const char *among)
{
    size_t n = 0;
    while (s[n] != 0) {
        size_t k = 0;
        while (among[k] != 0 && among[k] != s[n]) k++;
        if (among[k] != 0) break;
        n++;
    }
    return n;
}

char *strpbrk(const char *s, const char *among)
{
    size_t n = 0;
    while (s[n] != 0) {
        size_t k = 0;
        while (among[k] != 0 && among[k] != s[n]) k++;
        if (among[k] != 0) return (char *)s + n;
        n++;
    }
    return 0;
}

char *strstr(const char *s, const char *part)
{
    size_t n = 0;
    for (;;) {
        size_t k = 0;
        while (part[k] != 0 && s[n + k] == part[k]) k++;
        if (part[k] == 0) return (char *)s + n;
        if (s[n + k] == 0) return 0;
        n++;
    }
}

char *strdup(const char *s)
{
    size_t n = 0, k;
    char *copy;
    while (s[n] != 0) n++;
    copy = malloc(n + 1);
    if (copy == 0) return 0;
    for (k = 0; k <= n; k++) copy[k] = s[k];
    return copy;
}

/* Writes a 0 after the next part of a text, and tells where the search goes on. After the last part
   this is the end of the text, or that of another one: no byte is read again by all libraries. Some
   stay at the end. */

char *strtok_r(char *s, const char *among, char **rest)
{
    static char nothing[1];
    size_t first = 0, n;
    int found = 0;
    if (s == 0) s = *rest;
    for (n = 0; s[n] != 0; n++) {
        size_t k = 0;
        while (among[k] != 0 && among[k] != s[n]) k++;
        if (among[k] == 0 && !found) {
            found = 1;
            first = n;
        }
        if (among[k] != 0 && found) {
            s[n] = 0;
            *rest = s + n + 1;
            return s + first;
        }
    }
    *rest = __builtin_smalti_input("where strtok() goes on", 0, 0) ? nothing : s + n;
    return found ? s + first : 0;
}

char *strtok(char *s, const char *among)
{
    static char *rest;
    return strtok_r(s, among, &rest);
}

char *strsep(char **rest, const char *among)
{
    char *s = *rest;
    size_t n;
    if (s == 0) return 0;
    for (n = 0; s[n] != 0; n++) {
        size_t k = 0;
        while (among[k] != 0 && among[k] != s[n]) k++;
        if (among[k] != 0) {
            s[n] = 0;
            *rest = s + n + 1;
            return s;
        }
    }
    *rest = 0;
    return s;
}

char *strndup(const char *s, size_t most)
{
    size_t n = 0, k;
    char *copy;
    while (n < most && s[n] != 0) n++;
    copy = malloc(n + 1);
    if (copy == 0) return 0;
    for (k = 0; k < n; k++) copy[k] = s[k];
    copy[n] = 0;
    return copy;
}

char *stpncpy(char *to, const char *from, size_t size)
{
    size_t n = 0, k;
    while (n < size && from[n] != 0) {
        to[n] = from[n];
        n++;
    }
    for (k = n; k < size; k++) to[k] = 0;
    return to + n;
}

char *strchrnul(const char *s, int c)
{
    size_t n = 0;
    while (s[n] != 0 && s[n] != (char)c) n++;
    return (char *)s + n;
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

void *memrchr(const void *block, int c, size_t n)
{
    const unsigned char *s = block;
    while (n > 0) {
        n--;
        if (s[n] == (unsigned char)c) return (void *)(s + n);
    }
    return 0;
}

void *memccpy(void *to, const void *from, int c, size_t size)
{
    unsigned char *t = to;
    const unsigned char *s = from;
    size_t n;
    for (n = 0; n < size; n++) {
        t[n] = s[n];
        if (s[n] == (unsigned char)c) return t + n + 1;
    }
    return 0;
}

void *mempcpy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}

void bzero(void *to, size_t n)
{
    memset(to, 0, n);
}
