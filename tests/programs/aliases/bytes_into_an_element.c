// smalti: --stack smash/octagon --stages domains
// smalti: --stack relation/partition/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,refine,shrink,prune
// A pointer that moves by bytes points into the middle of an element: an access there touches two
// elements.
struct bytes { char first, second; };

int main(void) {
    struct bytes array[2] = {{0}};
    struct bytes *within = (struct bytes *)((char *)array + 1);
    within->second = 1;
    //@ RESIDUAL!   array[1].first == 0
    //@ RESIDUAL!   within <= array || within >= array + 1
    return 0;
}
