// smalti: --stages domains
// smalti: --stages run,domains,bounded --time-limit 20
// Heap blocks that are used before they are freed, and freed once.
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *text;
    unsigned long length;
};

static int open_buffer(struct buffer *b, unsigned long length)
{
    b->text = malloc(length);
    if (!b->text)
        return -1;
    b->length = length;
    return 0;
}

static void close_buffer(struct buffer *b)
{
    free(b->text); //@ PROVED lifetime   it was opened, or is null
    b->text = NULL;
}

static int *numbers(int n)
{
    int *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i; //@ PROVED lifetime
    return p;
}

int main(void)
{
    struct buffer b;
    if (open_buffer(&b, 16))
        return 1;
    memset(b.text, 'a', b.length);
    b.text[3] = 0; //@ PROVED lifetime
    close_buffer(&b);
    close_buffer(&b);
    free(b.text); //@ PROVED lifetime   null may be freed

    int rounds = __VERIFIER_nondet_int();
    for (int i = 0; i < rounds; i++) {
        // Each block ends before the next one begins: one name for all of them.
        int *p = numbers(8);
        p[i & 7] = 3; //@ PROVED lifetime
        free(p);      //@ PROVED lifetime
    }

    int *p = numbers(4), *q = numbers(5);
    free(p);
    q[2] = 1; //@ PROVED lifetime   the other block was freed
    p = q;
    p[1] = 2; //@ PROVED lifetime   the pointer was assigned again
    q = realloc(p, 6 * sizeof *q);
    q[5] = 7; //@ PROVED lifetime
    free(q);  //@ PROVED lifetime

    int *maybe = 0;
    if (rounds > 3) {
        maybe = numbers(3);
        free(maybe);
        maybe = 0;
    }
    if (maybe)
        maybe[0] = 1; //@ UNREACHABLE lifetime
    return 0;
}
