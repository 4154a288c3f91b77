// smalti: --stages run,domains
// GNU C has the escapes `\e` and `\E`, which are 27.
int main(void)
{
    char c = '\e', s[] = "\e[0m\\e\E", t[] = "\\" "\e";
    //@ PROVED      c == 27 && '\E' == 27
    //@ PROVED      sizeof s == 8 && s[0] == 27 && s[1] == '['
    //@ PROVED      s[4] == '\\' && s[5] == 'e' && s[6] == 27
    //@ PROVED      sizeof t == 3 && t[0] == '\\' && t[1] == 27
    //@ RESIDUAL!   c == '\a'
    return c;
}
