// smalti: --stack smash/octagon --stages domains
// smalti: --stack partition/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,refine,shrink,prune
// A pointer that moves by bytes leads from one member to another, and into the middle of an element.
#include <stddef.h>
#include <stdlib.h>
struct record { int key; int value; };
struct bytes { char first, second; };
struct shifted { int head; struct bytes tail; };

static int *value_of(int *key) {
    return (int *)((char *)key - offsetof(struct record, key) + offsetof(struct record, value));
}

int main(void) {
    struct record record = {1, 0};
    *value_of(&record.key) = 5;
    //@ RESIDUAL!   record.value == 0
    struct bytes declared[2] = {{0}};
    struct bytes *within = (struct bytes *)((char *)declared + 1);
    within->second = 1;
    //@ RESIDUAL!   declared[1].first == 0
    //@ RESIDUAL!   within <= declared || within >= declared + 1
    struct bytes *allocated = malloc(2 * sizeof *allocated);
    allocated[1].first = 0;
    within = (struct bytes *)&allocated[0].second;
    within->second = 1;
    //@ RESIDUAL!   allocated[1].first == 0
    struct bytes *many = malloc(8 * sizeof *many);
    many[2].second = 0;
    struct shifted *over = (struct shifted *)((char *)many + 1);
    struct bytes *tail = &over->tail;
    tail->first = 1;
    //@ RESIDUAL!   many[2].second == 0
    return 0;
}
