/* What some functions of <stdio.h> do to memory, and which results they have. What is read is any
   text. After an error, part of it may be there, and more may be read. So each of these inputs is
   one that some stream gives, whatever it has given before. */

typedef __typeof__(sizeof(0)) size_t;
void *realloc(void *block, size_t size);

static size_t __smalti_any_size(void)
{
    unsigned high = __builtin_smalti_any(), low = __builtin_smalti_any();
    return (size_t)((unsigned long long)high << 32 | low);
}

/* A character, or `EOF`, which is -1. */

int getchar(void)
{
    int c = __builtin_smalti_input("the result of getchar()", -1, 255);
    __builtin_smalti_assume(c >= -1 && c <= 255);
    return c;
}

int getc(void *stream)
{
    int c = __builtin_smalti_input("the result of getc()", -1, 255);
    (void)stream;
    __builtin_smalti_assume(c >= -1 && c <= 255);
    return c;
}

int fgetc(void *stream)
{
    int c = __builtin_smalti_input("the result of fgetc()", -1, 255);
    (void)stream;
    __builtin_smalti_assume(c >= -1 && c <= 255);
    return c;
}

/* A line may lack its end only at the end of the text. Nothing here knows whether more is read
   later, so no input decides that it lacks it. */

char *fgets(char *s, int size, void *stream)
{
    int n, c = 0;
    (void)stream;
    if (size <= 0 || size == 1 && __builtin_smalti_any()) return 0;
    for (n = 0; n < size - 1 && c != '\n'; n++) {
        c = __builtin_smalti_input("a character that fgets() reads", -1, 255);
        __builtin_smalti_assume(c >= -1 && c <= 255);
        if (c < 0) break;
        s[n] = (char)c;
    }
    if (c < 0 && (n == 0 || __builtin_smalti_any())) return 0;
    s[n] = 0;
    return s;
}

size_t fread(void *to, size_t size, size_t count, void *stream)
{
    unsigned char *bytes = to;
    size_t n, length;
    (void)stream;
    if (size == 0 || count == 0) return 0;
    length = count > (size_t)-1 / size ? (size_t)-1 : size * count;
    for (n = 0; n < length; n++) {
        int c = __builtin_smalti_input("a byte that fread() reads", -1, 255);
        __builtin_smalti_assume(c >= -1 && c <= 255);
        if (c < 0) break;
        bytes[n] = (unsigned char)c;
    }
    return n / size;
}

size_t fwrite(const void *from, size_t size, size_t count, void *stream)
{
    const unsigned char *bytes = from;
    size_t length, result;
    (void)stream;
    if (size == 0 || count == 0) return 0;
    length = count > (size_t)-1 / size ? (size_t)-1 : size * count;
    (void)(bytes[0] + bytes[length - 1]);
    if (!__builtin_smalti_input("whether fwrite() fails", 0, 0)) return count;
    result = __smalti_any_size();
    __builtin_smalti_assume(result <= count);
    return result;
}

/* Makes room for a line, in a block of its own that grows. Libraries differ in how much they make
   it grow, and whether they make it before they read. */

static int __smalti_has_room(char **line, size_t *size, size_t needed)
{
    char *longer;
    size_t room;
    int more;
    if (*line != 0 && *size >= needed) return 1;
    more = __builtin_smalti_input("how much more room getline() makes", 0, 200);
    __builtin_smalti_assume(more >= 0);
    /* Most double it. */
    room = needed + (size_t)more;
    if (needed > 1 << 30) room = __smalti_any_size();
    __builtin_smalti_assume(room >= needed);
    longer = realloc(*line, room);
    if (longer == 0) return 0;
    *line = longer;
    *size = room;
    return 1;
}

__typeof__((char *)0 - (char *)0) getdelim(char **line, size_t *size, int end, void *stream)
{
    size_t n;
    int c = 0;
    (void)stream;
    if (line == 0 || size == 0) return -1;
    if (__builtin_smalti_input("whether getline() makes room before it reads", 0, 0)) {
        if (!__smalti_has_room(line, size, 1)) return -1;
    }
    for (n = 0; n == 0 || c != (unsigned char)end; n++) {
        c = __builtin_smalti_input("a character that getline() reads", -1, 255);
        __builtin_smalti_assume(c >= -1 && c <= 255);
        if (c < 0) break;
        if (!__smalti_has_room(line, size, n + 2)) return -1;
        (*line)[n] = (char)c;
    }
    if (n == 0 || c < 0 && __builtin_smalti_any()) return -1;
    (*line)[n] = 0;
    return (__typeof__((char *)0 - (char *)0))n;
}

__typeof__((char *)0 - (char *)0) getline(char **line, size_t *size, void *stream)
{
    return getdelim(line, size, '\n', stream);
}
