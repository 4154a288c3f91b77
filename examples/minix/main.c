/* Start of the memory manager. */
#include "mproc.h"

struct mproc mproc[NR_PROCS];
int procs_in_use;

/* Sets up the process table: all slots are free but those of the memory manager, the file system and init. */
/*@ ensures valid_table; */
void mm_init(void) {
    for (int i = 0; i < NR_PROCS; i++) {
        mproc[i].mp_flags = 0;
        mproc[i].mp_parent = 0;
    }
    mproc[MM_PROC_NR].mp_flags = IN_USE;
    mproc[FS_PROC_NR].mp_flags = IN_USE;
    mproc[INIT_PROC_NR].mp_flags = IN_USE;
    procs_in_use = 3;
}
