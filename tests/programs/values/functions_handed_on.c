// smalti: --stages run,domains --stack values --checks bounds,assertion
// A function of the system may call the functions that it is handed, and keep them.
#include <glob.h>
#include <unistd.h>

static int kept = 3, sizes[4];
static int note(const char *path, int error) {
    (void)path;
    kept = error;
    return sizes[error];                        //@ RESIDUAL! bounds
}

int main(void) {
    glob_t found;
    glob("*", 0, note, &found);
    //@ RESIDUAL!   kept == 3
    return 0;
}
