// smalti: --stages domains --stack values
// What is not the end of a text, or no longer: the pointer or the index may leave the array.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static void read_line(char *line, int size)
{
    int n = 0;
    while (n < size - 1) {
        char c = __VERIFIER_nondet_char();
        if (c == '\n') break;
        line[n++] = c;
    }
    line[n] = 0;
}

static int pairs(const char *p)
{
    int n = 0;
    for (; *p; p += 2) n++;                         //@ RESIDUAL! bounds     it steps over the end
    return n;
}

static int last(const char *p)
{
    while (*p) p++;                                 //@ PROVED bounds
    p++;
    return *p;                                      //@ RESIDUAL! bounds     one after the end
}

static int before(const char *text, int n)
{
    while (text[n] != 0) n--;                       //@ RESIDUAL! bounds     away from the end
    return n;
}

static int other(const char *text, char end)
{
    int n = 0;
    while (text[n] != end) n++;                     //@ RESIDUAL! bounds     another byte
    return n;
}

static int through(char *text, char *alias)
{
    int n = 0;
    while (text[n] != 0) {                          //@ RESIDUAL! bounds     the end is written over
        n++;
        *alias = 'x';
    }
    return n;
}

static int jumps(const char *text)
{
    int n = 0;
    while (text[n] != 0) {                          //@ RESIDUAL! bounds     it is another index
        n++;
        if (__VERIFIER_nondet_int() == 77777) n = __VERIFIER_nondet_int();
    }
    return n;
}

int main(void)
{
    char line[6];
    read_line(line, sizeof line);
    switch (__VERIFIER_nondet_int()) {
    case 11111: return pairs(line);
    case 22222: return last(line);
    case 33333: return line[0] ? before(line, 0) : 0;
    case 44444: return other(line, 'e');
    case 55555: return through(line, line + 5);
    case 66666: return jumps(line);
    }
    return 0;
}
