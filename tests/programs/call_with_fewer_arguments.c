// smalti: --stages domains,summary
// A function in the style of Kernighan and Ritchie finds anything in parameters without arguments.
int seen;

void note(kind, text, value)
int kind, value;
char *text;
{
    seen = kind;
    if (kind == 1) seen = value;
    if (kind == 2) seen = *text; //@ RESIDUAL! bounds
}

int main(void)
{
    note(0);
    //@ PROVED      seen == 0
    note(0, "text");
    //@ PROVED      seen == 0
    note(1, "text", 5);
    //@ PROVED      seen == 5
    note(1);
    //@ RESIDUAL!   seen == 5
    note(2);
    return 0;
}
