// Bits that no closed form describes. The counter beside them has one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned crc = 0xffffffffu, n = 0;
    unsigned char data[64];
    for (int i = 0; i < 64; i++) data[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 64; i++) {
        crc ^= data[i];
        n += 8;
        for (int bit = 0; bit < 8; bit++) {
            if (crc & 1) crc = (crc >> 1) ^ 0xedb88320u;
            else crc = crc >> 1;
        }
    }
    assert(n == 512);
    return crc != 0;
}
