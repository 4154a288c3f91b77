// smalti: --stages domains --stack values
// A pointer or an index that walks along a text stays in it, whatever the text is and however long:
// it does not pass the zero at the end. Nor does it meet a byte that nothing has written.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

/* As long as the input goes on, but for the end. */
static int read_line(char *line, int size)
{
    int n = 0;
    while (n < size - 1) {
        char c = __VERIFIER_nondet_char();
        if (c == '\n') break;
        line[n] = c;                                //@ PROVED bounds
        n++;
    }
    line[n] = 0;                                    //@ PROVED bounds
    return n;
}

static int length(const char *text)
{
    int n = 0;
    while (text[n] != 0) n++;                       //@ PROVED bounds
    return n;
}

static const char *skip(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;            //@ PROVED bounds
    return p;
}

static int words(const char *p)
{
    int count = 0;
    for (p = skip(p); *p; p = skip(p)) {            //@ PROVED bounds
        count++;
        while (*p && *p != ' ') p++;                //@ PROVED bounds
    }
    return count;
}

/* Writes before the end change nothing of it. */
static void hide(char *text)
{
    for (int i = 0; text[i]; i++)                   //@ PROVED bounds
        if (text[i] >= '0' && text[i] <= '9') text[i] = '#';
}

static void copy(char *to, const char *from)
{
    int n = 0;
    for (; from[n]; n++) to[n] = from[n];           //@ PROVED bounds
    to[n] = 0;                                      //@ PROVED bounds
}

int main(void)
{
    char line[300], other[300], small[3];
    read_line(line, sizeof line);
    hide(line);
    int n = length(line);
    //@ RESIDUAL! line[0] != 0      the line may be empty
    n += words(line);
    copy(other, line);
    n += other[length(other)];                      //@ PROVED initialised
    if (n > 2) return 0;
    // A text that loses its end is none.
    read_line(small, sizeof small);
    small[2] = 'x';
    int k = 0;
    while (small[k] != 0) k++;                      //@ RESIDUAL! bounds
    return k;
}
