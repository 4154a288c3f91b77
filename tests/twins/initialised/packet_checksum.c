// Builds a packet: type, flags, length, payload, checksum. The checksum covers all before it.
#define HEADER 4
#define MOST 16
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char checksum(const unsigned char *bytes, unsigned length) {
    unsigned char sum = 0x5a;
    for (unsigned i = 0; i < length; i++) sum ^= bytes[i]; // fails: initialised
    return sum;
}

static unsigned build(unsigned char *packet, unsigned char type, const unsigned char *payload, unsigned length) {
    packet[0] = type;
#ifdef BROKEN
    if (type >= 0x80) packet[1] = type & 0x0f;
#else
    packet[1] = type >= 0x80 ? type & 0x0f : 0;
#endif
    packet[2] = length & 0xff;
    packet[3] = length >> 8;
    for (unsigned i = 0; i < length; i++) packet[HEADER + i] = payload[i];
    packet[HEADER + length] = checksum(packet, HEADER + length);
    return HEADER + length + 1;
}

int main(void) {
    unsigned char payload[MOST], packet[HEADER + MOST + 1];
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > MOST) return 1;
    for (int i = 0; i < length; i++) payload[i] = __VERIFIER_nondet_uchar();
    unsigned size = build(packet, __VERIFIER_nondet_uchar(), payload, (unsigned)length);
    return packet[size - 1] == 0;
}
