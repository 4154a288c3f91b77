// smalti: --stack smash/octagon --stages domains
// Of floating values and unions nothing is known, but how many an array has.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
union either { int i; float f; } unions[7];
double matrix[3][5];
struct sample { float values[4]; } samples[6];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    float *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = 1;                               //@ PROVED bounds
    for (float *q = p; q < p + n; q++) *q = 2;                          //@ PROVED bounds
    if (n > 50) p[n] = 3;                                               //@ RESIDUAL! bounds
    for (int i = 0; i < 7; i++) unions[i].i = i;                        //@ PROVED bounds
    double sum = 0;
    double *row = matrix[1];
    for (int j = 0; j < 5; j++) sum += row[j];                          //@ PROVED bounds
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) samples[i].values[j] = sum;         //@ PROVED bounds
    float *v = samples[2].values;
    v[3] = 1;                                                           //@ RESIDUAL bounds
    if (n > 60) v[n] = 1;                                               //@ RESIDUAL! bounds
    return 0;
}
