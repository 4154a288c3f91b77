/* The process table of Minix 1.1's memory manager: one slot for each process, in no order. */
#ifndef MPROC_H
#define MPROC_H

#ifndef NR_PROCS
#define NR_PROCS      24    /* slots in the process table */
#endif
#define MM_PROC_NR    0     /* the memory manager */
#define FS_PROC_NR    1     /* the file system */
#define INIT_PROC_NR  2     /* init: the ancestor of the processes of users, and the parent of orphans */

/* Values of mpflag; 0 is a free slot. */
#define IN_USE        001   /* the slot holds a process */
#define WAITING       002   /* it waits for a child to exit */
#define HANGING       004   /* it has exited, and waits for its parent to call wait */
#define ALL_FLAGS     077

#define OK            0
#define EAGAIN        (-11)
#define ECHILD        (-10)
#define SUSPEND       (-998)

extern struct mproc {
    int mparent;            /* index of the parent */
    int mpflag;             /* flags; 0 if the slot is free */
} mproc[NR_PROCS];

extern int procs_in_use;

/* What the system calls rely on, and have to leave behind. */
/*@ predicate valid_process(integer p) =
        0 < mproc[p].mpflag <= ALL_FLAGS
     && 0 <= mproc[p].mparent < NR_PROCS
     && mproc[mproc[p].mparent].mpflag > 0;

    predicate valid_table =
        (\forall integer p; 0 <= p < NR_PROCS ==> mproc[p].mpflag >= 0)
     && (\forall integer p; 0 <= p < NR_PROCS && mproc[p].mpflag > 0 ==> valid_process(p))
     && (\forall integer p; 0 <= p <= INIT_PROC_NR ==> mproc[p].mpflag > 0);

    predicate user_process(integer p) = INIT_PROC_NR < p < NR_PROCS && mproc[p].mpflag > 0;
*/

#endif
