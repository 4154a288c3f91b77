/* Bytes, names and bit maps. */
#include "kernel.h"

union word {
    u32 whole;
    u8 byte[4];
};

void bytes_copy(void *to, const void *from, u32 n)
{
    u8 *t = to;
    const u8 *f = from;

    for (u32 i = 0; i < n; i++)
        t[i] = f[i];
}

void bytes_fill(void *to, u8 value, u32 n)
{
    u8 *t = to;

    for (u32 i = 0; i < n; i++)
        t[i] = value;
}

/* Two sums in one word. The second one depends on the order of the bytes. */
u32 bytes_sum(const void *from, u32 n)
{
    const u8 *p = from;
    u32 low = 1, high = 0;

    for (u32 i = 0; i < n; i++) {
        low = (low + p[i]) % 251;
        high = (high + low) % 251;
    }
    return high << 8 | low;
}

/* The bytes of a word in the other order. */
u32 word_swap(u32 w)
{
    union word in, out;

    in.whole = w;
    for (u32 i = 0; i < sizeof in.byte; i++)
        out.byte[sizeof in.byte - 1 - i] = in.byte[i];
    return out.whole;
}

/* Copies a name. What does not fit is cut off. The rest is filled with zeros. */
void name_copy(char *to, const char *from)
{
    u32 i = 0;

    while (i < NAME_LEN - 1 && from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    while (i < NAME_LEN)
        to[i++] = '\0';
}

int name_equal(const char *a, const char *b)
{
    for (int i = 0; i < NAME_LEN; i++) {
        if (a[i] != b[i])
            return 0;
        if (a[i] == '\0')
            break;
    }
    return 1;
}

u32 name_hash(const char *name)
{
    u32 h = 5381;
    const char *end = name + NAME_LEN;

    for (const char *s = name; s < end && *s != '\0'; s++)
        h = h * 33 ^ (u8)*s;
    return h;
}

/* The number of the first bit that is clear, or NIL. */
int bit_clear_find(const u32 *map, u32 words)
{
    for (u32 w = 0; w < words; w++) {
        if (map[w] == 0xffffffff)
            continue;
        for (u32 bit = 0; bit < 32; bit++) {
            if (!(map[w] >> bit & 1))
                return (int)(w * 32 + bit);
        }
    }
    return NIL;
}

void bit_set(u32 *map, u32 n)
{
    map[n / 32] |= 1u << n % 32;
}

void bit_clear(u32 *map, u32 n)
{
    map[n >> 5] &= ~(1u << (n & 31));
}
