// smalti: --stages bounded
// Members next to each other in the text are not neighbours in memory if padding, a union or a
// bit-field lies between.
struct inner { int x; short y; };
struct padded { struct inner inner; short after; };
struct overlaid { int first; union { int number; int other; } both; int last; };
struct bits { unsigned int whole, part : 3, other : 29; };
struct spread { int first; int last __attribute__((aligned(16))); };

int main(void) {
    struct padded padded = {{1, 2}, 3};
    short *y = &padded.inner.y;
    y[1] = 9;
    //@ RESIDUAL   padded.after == 3
    struct overlaid overlaid = {1, {2}, 3};
    int *last = &overlaid.last;
    last[-2] = 9;
    //@ RESIDUAL   overlaid.first == 9
    struct bits bits = {1, 2, 0};
    unsigned int *whole = &bits.whole;
    whole[1] = 9;
    //@ RESIDUAL   bits.part == 1
    struct spread spread = {1, 2};
    int *first = &spread.first;
    first[1] = 9;
    //@ RESIDUAL   spread.last == 2
    return 0;
}
