/* Which functions run at the end of the program (C11 7.22.4.2). They have numbers. */

/* C says that 32 can be registered at least. */
static int __smalti_registered[32], __smalti_count;
/* Whether there are more, of which nothing is known. */
static int __smalti_more;

int atexit(int number)
{
    if (__smalti_count == 32) {
        if (__builtin_smalti_any()) return -1;
        __smalti_more = 1;
        return 0;
    }
    __smalti_registered[__smalti_count] = number;
    __smalti_count++;
    return 0;
}

/* The number of the next one, the last one first; -1 if all have run. */
int __smalti_next_at_exit(void)
{
    if (__smalti_more) {
        int number = __builtin_smalti_any();
        if (number >= 0) return number;
        __smalti_more = 0;
    }
    if (__smalti_count == 0) return -1;
    __smalti_count--;
    return __smalti_registered[__smalti_count];
}
