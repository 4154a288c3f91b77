/* What some functions of <stdio.h> do to memory. What is read is any text. After an error, part of
   it may be there. */

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
