/* What some functions of <stdio.h> do to memory, and which results they have. What is read is any
   text. After an error, part of it may be there. */

typedef __typeof__(sizeof(0)) size_t;

/* A character, or `EOF`, which is -1. */
static int __smalti_any_character(void)
{
    int c = __builtin_smalti_any();
    __builtin_smalti_assume(c >= -1 && c <= (unsigned char)-1);
    return c;
}

static size_t __smalti_any_size(void)
{
    unsigned high = __builtin_smalti_any(), low = __builtin_smalti_any();
    return (size_t)((unsigned long long)high << 32 | low);
}

int getchar(void)
{
    return __smalti_any_character();
}

int getc(void *stream)
{
    (void)stream;
    return __smalti_any_character();
}

int fgetc(void *stream)
{
    (void)stream;
    return __smalti_any_character();
}

char *fgets(char *s, int size, void *stream)
{
    int n, length;
    (void)stream;
    if (size <= 0) return 0;
    length = __builtin_smalti_any();
    __builtin_smalti_assume(length >= 0 && length < size);
    for (n = 0; n < length; n++) s[n] = (char)__builtin_smalti_any();
    if (__builtin_smalti_any()) return 0;
    s[length] = 0;
    return s;
}

/* Bytes may be read after the last element that is counted. */

size_t fread(void *to, size_t size, size_t count, void *stream)
{
    unsigned char *bytes = to;
    size_t n, length, result;
    (void)stream;
    if (size == 0 || count == 0) return 0;
    length = count > (size_t)-1 / size ? (size_t)-1 : size * count;
    for (n = 0; n < length && __builtin_smalti_any(); n++) bytes[n] = (unsigned char)__builtin_smalti_any();
    result = __smalti_any_size();
    __builtin_smalti_assume(result <= n / size);
    return result;
}

size_t fwrite(const void *from, size_t size, size_t count, void *stream)
{
    const unsigned char *bytes = from;
    size_t length, result;
    (void)stream;
    if (size == 0 || count == 0) return 0;
    length = count > (size_t)-1 / size ? (size_t)-1 : size * count;
    (void)(bytes[0] + bytes[length - 1]);
    result = __smalti_any_size();
    __builtin_smalti_assume(result <= count);
    return result;
}
