/* For compiled runs: the inputs are a pseudo-random sequence, which KERNEL_SEED begins. Most are
   small, so that calls get through. Some are wild. */
#ifdef RUN
#include <stdlib.h>

static unsigned long long state;

static unsigned int next(void)
{
    if (state == 0) {
        const char *seed = getenv("KERNEL_SEED");

        state = (seed == NULL ? 1 : strtoull(seed, NULL, 10)) * 0x9e3779b97f4a7c15u + 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned int)(state >> 24);
}

/* A number that is likely to mean something to the kernel. */
static unsigned int plausible(void)
{
    switch (next() % 32) {
    case 0:
        return next();
    case 1:
        return 0u - next() % 20;
    case 2:
        return next() % 4096;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
        return next() % 140;
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
    case 16:
        return next() % 4;
    default:
        return next() % 24;
    }
}

int __VERIFIER_nondet_int(void)
{
    return (int)plausible();
}

unsigned int __VERIFIER_nondet_uint(void)
{
    return plausible();
}

unsigned short __VERIFIER_nondet_ushort(void)
{
    return (unsigned short)plausible();
}

unsigned char __VERIFIER_nondet_uchar(void)
{
    return (unsigned char)plausible();
}
#endif
