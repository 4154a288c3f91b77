// smalti: --stages run,domains --stack values --checks bounds,assertion
// Functions of the library that write only where their arguments lead.
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int table[4], calls;
static void count(void) { calls++; }
void (*const handler)(void) = count;

int main(void) {
    int kept = 3, *p = &kept, status = 5;
    char line[20];
    struct stat about;
    struct timeval now;
    struct tm parts;
    sigset_t signals;
    about.st_size = 1;
    now.tv_sec = 2;
    time_t t = time(0);
    if (stat("name", &about) != 0) return 1;
    //@ RESIDUAL!   about.st_size == 1
    gettimeofday(&now, 0);
    //@ RESIDUAL!   now.tv_sec == 2
    wait(0);
    //@ PROVED      status == 5
    wait(&status);
    //@ RESIDUAL!   status == 5
    struct tm *same = localtime_r(&t, &parts);
    //@ PROVED      same == 0 || same == &parts
    //@ RESIDUAL!   same != 0
    sigemptyset(&signals);
    long n = read(0, line, sizeof line);
    //@ PROVED      n >= -1 && n <= 20
    //@ RESIDUAL!   n >= 0
    if (n > 0) line[n - 1] = 0;                         //@ PROVED bounds
    n = read(0, line, sizeof line + 1);                 //@ RESIDUAL! bounds
    table[kept] = 1;                                    //@ PROVED bounds
    //@ PROVED      *p == 3 && calls == 0
    return 0;
}
