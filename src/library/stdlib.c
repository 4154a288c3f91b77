/* What some functions of <stdlib.h> do, in the locale "C". */

typedef __typeof__(sizeof(0)) size_t;

static unsigned long long __smalti_any_number(void)
{
    unsigned high = __builtin_smalti_any(), low = __builtin_smalti_any();
    return (unsigned long long)high << 32 | low;
}

/* The value of a digit, 36 if it is none. */
static int __smalti_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}

/* The number at the start of a text, of a type whose greatest value is `largest`. A number that the
   type cannot hold becomes the nearest one that it can, and the greatest one if it has no sign. A
   result without a sign has the same bits. */
static long long __smalti_number(const char *s, char **end, int base, unsigned long long largest, int is_signed)
{
    enum { BLANKS, NUMBER, DIGITS, PREFIX } place = BLANKS;
    size_t n;
    int negative = 0, found = 0, fits = 1;
    unsigned long long value = 0;

    /* The standard says nothing of other bases. */
    if (base < 0 || base == 1 || base > 36) {
        if (end != 0 && __builtin_smalti_any()) *end = (char *)s;
        return (long long)__smalti_any_number();
    }
    for (n = 0;; n++) {
        int digit;
        if (place == BLANKS) {
            if (s[n] == ' ' || s[n] >= '\t' && s[n] <= '\r') continue;
            place = NUMBER;
            if (s[n] == '-' && is_signed) largest++;
            if (s[n] == '-') negative = 1;
            if (s[n] == '-' || s[n] == '+') continue;
        }
        if (place == NUMBER) {
            place = DIGITS;
            if ((base == 0 || base == 16) && s[n] == '0' && (s[n + 1] == 'x' || s[n + 1] == 'X')) {
                if (__smalti_digit(s[n + 2]) < 16) {
                    base = 16;
                    place = PREFIX;
                }
            } else if ((base == 0 || base == 2) && s[n] == '0' && (s[n + 1] == 'b' || s[n + 1] == 'B')) {
                /* Since C23. Libraries from before do not. */
                if (__smalti_digit(s[n + 2]) < 2 && __builtin_smalti_input("whether 0b is read", 0, 0)) {
                    base = 2;
                    place = PREFIX;
                }
            }
            if (base == 0) base = s[n] == '0' ? 8 : 10;
        } else if (place == PREFIX) {
            place = DIGITS;
            if (s[n] != 0) continue;
        }
        digit = __smalti_digit(s[n]);
        if (s[n] == 0 || digit >= base) break;
        found = 1;
        if (value <= (largest - digit) / base) value = value * base + digit;
        else fits = 0;
    }
    if (!found) n = 0;
    if (end != 0) *end = (char *)s + n;
    if (!fits) return (long long)largest;
    if (!negative) return (long long)value;
    if (is_signed && value <= (unsigned long long)-1 / 2) return -(long long)value;
    return (long long)-value;
}

long strtol(const char *s, char **end, int base)
{
    return (long)__smalti_number(s, end, base, (unsigned long)-1 / 2, 1);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return (unsigned long)__smalti_number(s, end, base, (unsigned long)-1, 0);
}

long long strtoll(const char *s, char **end, int base)
{
    return __smalti_number(s, end, base, (unsigned long long)-1 / 2, 1);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    return (unsigned long long)__smalti_number(s, end, base, (unsigned long long)-1, 0);
}

/* What the result cannot hold is undefined; so it is any value. */

int atoi(const char *s)
{
    long long value = __smalti_number(s, 0, 10, (unsigned long long)-1 / 2, 1);
    int most = (unsigned)-1 / 2;
    return value > most || value < -most - 1 ? __builtin_smalti_any() : (int)value;
}

long atol(const char *s)
{
    long value = strtol(s, 0, 10), most = (unsigned long)-1 / 2;
    return value == most || value == -most - 1 ? (long)__smalti_any_number() : value;
}

long long atoll(const char *s)
{
    long long value = strtoll(s, 0, 10), most = (unsigned long long)-1 / 2;
    return value == most || value == -most - 1 ? (long long)__smalti_any_number() : value;
}

/* The standard does not say which elements are compared, nor which one is found of equal ones. An
   element is only found if it was compared. Many libraries begin in the middle. */

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    void *found = 0;
    if (count > 0 && __builtin_smalti_input("whether bsearch() begins in the middle", 1, 1)) {
        const char *element = (const char *)base + count / 2 * size;
        if (compare(key, element) == 0) found = (void *)element;
    }
    while (__builtin_smalti_any()) {
        size_t n = (size_t)__smalti_any_number();
        if (n < count) {
            const char *element = (const char *)base + n * size;
            if (compare(key, element) == 0) found = (void *)element;
        }
    }
    return found;
}

/* Nor does it say which elements are compared here, and where each is meanwhile. Some libraries
   sort few elements by inserting one after the other, and compare the first two of them first. */

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1 && count < 7 && __builtin_smalti_input("whether qsort() begins with the first two", 1, 1))
        (void)compare(base, (const char *)base + size);
    while (__builtin_smalti_any()) {
        size_t a = (size_t)__smalti_any_number(), b = (size_t)__smalti_any_number();
        if (a < count && b < count) (void)compare((const char *)base + a * size, (const char *)base + b * size);
        __builtin_smalti_exchange(base, count * size, size);
    }
}
