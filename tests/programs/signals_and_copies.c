// smalti: --time-limit 20
// What a handler writes may change where bytes are copied, and where annotations speak of it.
#include <signal.h>
#include <string.h>

struct block {
    unsigned char bytes[8];
};
static struct block shared;
static volatile int flag;

static void handle(int number)
{
    shared.bytes[0] = 1;
    flag = number;
}

int main(void)
{
    signal(SIGINT, handle);
    unsigned char own[8];
    memcpy(own, &shared, 8);
    //@ RESIDUAL! own[0] == 0
    unsigned long long all;
    memcpy(&all, &shared, 8);
    //@ RESIDUAL! all == 0
    flag = 0;
    for (int i = 0; i < 3; i++) {
        //@ RESIDUAL! flag == 0
        own[i] = i;
    }
    //@ PROVED own[2] == 2
    return 0;
}
