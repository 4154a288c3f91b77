/* What the functions of <ctype.h> do, in the locale "C". The standard only says whether the result
   of a classification is zero. Some libraries return 1 if it is not. */

int isalpha(int c)
{
    int result;
    if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')) return 0;
    result = __builtin_smalti_input("the result of isalpha()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isdigit(int c)
{
    int result;
    if (!(c >= '0' && c <= '9')) return 0;
    result = __builtin_smalti_input("the result of isdigit()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isalnum(int c)
{
    int result;
    if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')) return 0;
    result = __builtin_smalti_input("the result of isalnum()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isupper(int c)
{
    int result;
    if (!(c >= 'A' && c <= 'Z')) return 0;
    result = __builtin_smalti_input("the result of isupper()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int islower(int c)
{
    int result;
    if (!(c >= 'a' && c <= 'z')) return 0;
    result = __builtin_smalti_input("the result of islower()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isspace(int c)
{
    int result;
    if (!(c == ' ' || c >= '\t' && c <= '\r')) return 0;
    result = __builtin_smalti_input("the result of isspace()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isblank(int c)
{
    int result;
    if (!(c == ' ' || c == '\t')) return 0;
    result = __builtin_smalti_input("the result of isblank()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isxdigit(int c)
{
    int result;
    if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')) return 0;
    result = __builtin_smalti_input("the result of isxdigit()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int iscntrl(int c)
{
    int result;
    if (!(c >= 0 && c < 32 || c == 127)) return 0;
    result = __builtin_smalti_input("the result of iscntrl()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isprint(int c)
{
    int result;
    if (!(c >= 32 && c < 127)) return 0;
    result = __builtin_smalti_input("the result of isprint()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int isgraph(int c)
{
    int result;
    if (!(c > 32 && c < 127)) return 0;
    result = __builtin_smalti_input("the result of isgraph()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int ispunct(int c)
{
    int result;
    if (!(c > 32 && c < 127 && !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'))) return 0;
    result = __builtin_smalti_input("the result of ispunct()", 1, 1);
    __builtin_smalti_assume(result != 0);
    return result;
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

/* The macros of glibc read these tables: a row of bits for each value from -128 to 255, little end
   first. */

const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short bits[384] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
        49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 55304, 55304, 55304, 55304,
        55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
        49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440,
        50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
        50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156, 49156, 54792, 54792, 54792,
        54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
        50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156,
        49156, 49156, 49156, 2,
    };
    static const unsigned short *from_zero = bits + 128;
    return &from_zero;
}
