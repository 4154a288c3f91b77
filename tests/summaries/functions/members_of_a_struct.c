// The members of what a pointer points to.

struct account {
    int balance;
    int entries[50];
    int used;
};

/*@ requires \valid(to) && 0 <= count <= 50; */
void deposit(struct account *to, int count, int amount) {
    to->used = count;
    for (int i = 0; i < count; i++) {
        to->entries[i] = amount;
    }
    to->balance = count * amount;
}
