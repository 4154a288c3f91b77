/* The system calls by which processes are made and ended. */
#include "mproc.h"

struct mproc mproc[NR_PROCS];
int procs_in_use;

/* Does the process wait for a child? */
static int waiting(int flag) { return (flag & WAITING) != 0; }

/* Frees the slot of `child`, for which its parent has waited. Its own children get init as their parent; if one of them hangs and
   init waits, it is freed at once. */
static void cleanup(int child) {
    int parent = mproc[child].mp_parent;
    int orphan = NR_PROCS;

    mproc[parent].mp_flags = IN_USE; /* it no longer waits */
    mproc[child].mp_flags = 0;
    procs_in_use--;

    int init_waits = waiting(mproc[INIT_PROC_NR].mp_flags);
    for (int i = 0; i < NR_PROCS; i++) {
        if (mproc[i].mp_flags > 0 && mproc[i].mp_parent == child) {
            mproc[i].mp_parent = INIT_PROC_NR;
            if (init_waits && (mproc[i].mp_flags & HANGING) != 0 && i > INIT_PROC_NR) {
                orphan = i;
                init_waits = 0;
            }
        }
    }
    if (orphan < NR_PROCS) {
        mproc[INIT_PROC_NR].mp_flags = IN_USE;
        mproc[orphan].mp_flags = 0;
        procs_in_use--;
        for (int i = 0; i < NR_PROCS; i++) {
            if (mproc[i].mp_flags > 0 && mproc[i].mp_parent == orphan) {
                mproc[i].mp_parent = INIT_PROC_NR;
            }
        }
    }
}

/* The process `who` makes a child: a copy of itself. The slot of the child, or an error. */
/*@ requires valid_table;
    requires 0 <= who < NR_PROCS && mproc[who].mp_flags > 0;
    ensures valid_table;
*/
int do_fork(int who) {
    int child;

    if (procs_in_use == NR_PROCS) return EAGAIN;
    for (child = 0; child < NR_PROCS; child++) {
        if (mproc[child].mp_flags == 0) break;
    }
    if (child == NR_PROCS) return EAGAIN;
    procs_in_use++;
    mproc[child].mp_parent = who;
    mproc[child].mp_flags = IN_USE;
    return child;
}

/* The process `who` ends. If its parent waits for it, it goes at once, else it hangs until the parent waits. */
/*@ requires valid_table;
    requires user_process(who);
    ensures valid_table;
*/
int mm_exit(int who) {
    if (waiting(mproc[mproc[who].mp_parent].mp_flags)) {
        cleanup(who);
    } else {
        mproc[who].mp_flags |= HANGING;
    }
    return SUSPEND;
}

/* The process `who` waits for a child to end. */
/*@ requires valid_table;
    requires 0 <= who < NR_PROCS && mproc[who].mp_flags > 0;
    ensures valid_table;
*/
int do_wait(int who) {
    int children = 0;

    for (int child = 0; child < NR_PROCS; child++) {
        if (mproc[child].mp_flags > 0 && mproc[child].mp_parent == who) {
            children++;
            if ((mproc[child].mp_flags & HANGING) != 0 && child > INIT_PROC_NR) {
                cleanup(child); /* it has ended already */
                return OK;
            }
        }
    }
    if (children == 0) return ECHILD;
    mproc[who].mp_flags |= WAITING;
    return SUSPEND;
}
