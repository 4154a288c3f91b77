/* The process table of Minix 1.1's memory manager: one slot for each process, in no order. */
#ifndef MPROC_H
#define MPROC_H

#ifndef NR_PROCS
#define NR_PROCS      24    /* slots in the process table */
#endif
#define MM_PROC_NR    0     /* the memory manager */
#define FS_PROC_NR    1     /* the file system */
#define INIT_PROC_NR  2     /* init: the ancestor of the processes of users, and the parent of orphans */

/* Values of mp_flags; 0 is a free slot. */
#define IN_USE        001   /* the slot holds a process */
#define WAITING       002   /* it waits for a child to exit */
#define HANGING       004   /* it has exited, and waits for its parent to call wait */
#define ALL_FLAGS     077

#define OK            0
#define EAGAIN        (-11)
#define ECHILD        (-10)
#define SUSPEND       (-998)

extern struct mproc {
    int mp_parent;            /* index of the parent */
    int mp_flags;             /* flags; 0 if the slot is free */
} mproc[NR_PROCS];

extern int procs_in_use;

/* What the system calls rely on, and have to leave behind. */
/*@ predicate valid_process(integer p) =
        0 < mproc[p].mp_flags <= ALL_FLAGS
     && 0 <= mproc[p].mp_parent < NR_PROCS
     && mproc[mproc[p].mp_parent].mp_flags > 0;

    predicate valid_table =
        (\forall integer p; 0 <= p < NR_PROCS ==> mproc[p].mp_flags >= 0)
     && (\forall integer p; 0 <= p < NR_PROCS && mproc[p].mp_flags > 0 ==> valid_process(p))
     && (\forall integer p; 0 <= p <= INIT_PROC_NR ==> mproc[p].mp_flags > 0);

    predicate user_process(integer p) = INIT_PROC_NR < p < NR_PROCS && mproc[p].mp_flags > 0;
*/

#endif
