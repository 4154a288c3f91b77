// Opens a session; all ways out release what was allocated.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static int session(int version, size_t length) {
    int status = -1;
#ifdef BROKEN
    char *name, *secret;
#else
    char *name = NULL, *secret = NULL;
#endif

    if (version < 2) goto out;
    name = malloc(length + 1);
    if (!name) goto out;
    memset(name, 'x', length);
    name[length] = '\0';

    secret = malloc(32);
    if (!secret) goto out;
    memset(secret, 0, 32);
    status = name[0] == secret[0];

out:
    free(secret); // fails: initialised
    free(name);
    return status;
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 100) return 1;
    return session(__VERIFIER_nondet_int(), (size_t)length) < 0;
}
