/* The tables of a small kernel, and what its parts offer to each other. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

/* Sizes of the tables. */
#define NPROC 8
#define NPRIO 4
#define NSEG 2
#define NHANDLE 4
#define NAME_LEN 8
#define BOX_SLOTS 4
#define NTIMER 6
#define NHOLE 16
#define NCLICK 64
#define CLICK_SIZE 16
#define CORE_SIZE (NCLICK * CLICK_SIZE)
#define NPAGE 64
#define PAGE_SIZE 16
#define NPIPE 4
#define NBLOCK 32
#define BLOCK_SIZE 32
#define NDIRECT 4
#define NINODE 6
#define NFILE 12
#define NBUF 4
#define NHASH 4
#define NIRQ 8
#define TTY_SIZE 32
#define NPROFILE 16
#define MAX_WEIGHT 16
#define GENERATIONS 8
#define MIN_HERTZ 20
#define MAX_HERTZ 1000
#define MAX_CLICKS 8
#define MAX_LOAN 64

/* What a system call returns when it fails. */
#define E_CALL (-1)
#define E_ARG (-2)
#define E_FULL (-3)
#define E_NONE (-4)
#define E_MEM (-5)
#define E_FAULT (-6)
#define E_AGAIN (-7)

#define NIL (-1)
#define IDLE 0
#define INIT 1
#define SEG_DATA 0
#define SEG_STACK 1

enum state { FREE, READY, SENDING, RECEIVING, SLEEPING, WAITING, ZOMBIE };
enum mode { MODE_READ = 1, MODE_WRITE = 2 };
enum kind { KIND_NUMBER, KIND_TEXT, KIND_DEVICE, KIND_SIGNAL };

struct message {
    int source;
    int kind;
    union {
        struct {
            int first, second;
        } number;
        struct {
            u8 length;
            char text[7];
        } text;
        struct {
            u16 line;
            u16 count;
            u32 stamp;
        } device;
    } body;
};

/* A ring of messages. */
struct mailbox {
    struct message slot[BOX_SLOTS];
    u8 in, out, count;
};

/* A piece of the core, in clicks. */
struct segment {
    u16 base, len;
};

struct account {
    u32 ticks;
    u32 calls;
    u8 weight; /* 1..MAX_WEIGHT */
    u8 share;  /* per cent */
};

struct proc {
    struct proc *next;    /* in its run queue */
    struct proc *senders; /* those that wait to send to it */
    struct proc *sibling; /* the next one of those */
    int pid;              /* its slot is pid % NPROC */
    int result;
    enum state state;
    u8 priority;
    u8 quantum;
    u8 parent; /* a slot */
    u8 peer;   /* the slot of the one it wants to send to */
    u8 notes;  /* bit n: slot n has sent a note */
    u16 pc;
    struct account account;
    struct segment seg[NSEG];
    signed char handle[NHANDLE]; /* numbers of open files, or NIL */
    struct message letter;       /* what it wants to send */
    struct mailbox box;
    char name[NAME_LEN];
};

typedef void (*timer_action)(struct proc *);

struct timer {
    timer_action action;
    u32 left; /* ticks until it is due; 0: it is spare */
    u16 period;
    u8 owner;
};

struct clock {
    struct timer timer[NTIMER];
    u16 hertz;
    u8 slice[NPRIO]; /* the quantum of each priority */
    u16 profile[NPROFILE];
    u32 ticks, lost;
    u32 load;
};

struct hole {
    short next;
    u16 base, len;
};

struct pipe {
    u8 used;
    u8 page;
    u16 in, count;
};

struct memory {
    struct hole hole[NHOLE];
    short first, spare;
    u32 pages[NPAGE / 32];
    struct pipe pipe[NPIPE];
};

struct inode {
    u8 links;
    u16 size;
    u8 block[NDIRECT]; /* 0 is none */
    char name[NAME_LEN];
};

struct file {
    struct inode *inode;
    u16 position;
    u8 mode;
    u8 users;
};

struct buffer {
    struct buffer *chain;
    u8 block;
    u8 dirty;
    u32 stamp;
    u8 data[BLOCK_SIZE];
};

struct files {
    struct inode inode[NINODE];
    struct file file[NFILE];
    struct buffer buffer[NBUF];
    struct buffer *hash[NHASH];
    u8 map[NBLOCK / 8];
    u32 stamp;
};

typedef int (*irq_handler)(u32 line, u8 owner);

struct interrupts {
    irq_handler handler[NIRQ];
    u8 owner[NIRQ];
    u8 masked, waiting; /* a bit for each line */
    u16 count[NIRQ];
    u32 spurious;
};

struct tty {
    char ring[TTY_SIZE];
    u8 in, count, lines, shift;
};

struct kernel {
    struct proc tab[NPROC];
    struct proc *current;
    struct proc *head[NPRIO];  /* the run queues */
    struct proc **tail[NPRIO]; /* where the next process is hung up */
    int generation;
    int halted;
    struct clock clock;
    struct memory memory;
    struct files files;
    struct interrupts irq;
    struct tty tty;
};

/* The head of a file that can be executed. */
struct image {
    u16 magic;
    u16 size;
    u16 entry;
    u16 weight;
};

#define IMAGE_MAGIC 0x5a4d

struct request {
    int number;
    int a, b, c;
};

extern struct kernel k;
extern u8 core[CORE_SIZE];

/* bytes.c */
void bytes_copy(void *to, const void *from, u32 n);
void bytes_fill(void *to, u8 value, u32 n);
u32 bytes_sum(const void *from, u32 n);
u32 word_swap(u32 w);
void name_copy(char *to, const char *from);
int name_equal(const char *a, const char *b);
u32 name_hash(const char *name);
int bit_clear_find(const u32 *map, u32 words);
void bit_set(u32 *map, u32 n);
void bit_clear(u32 *map, u32 n);

/* queue.c */
void queue_init(void);
void queue_put(struct proc *p);
void queue_remove(struct proc *p);
struct proc *queue_pick(void);
void queue_rotate(u32 priority);
u32 queue_length(u32 priority);

/* proc.c */
void proc_init(void);
struct proc *proc_find(int pid);
u32 proc_slot(const struct proc *p);
void proc_ready(struct proc *p);
void proc_block(struct proc *p, enum state state);
int proc_fork(struct proc *p);
void proc_exit(struct proc *p, int result);
int proc_wait(struct proc *p);
int proc_exec(struct proc *p, const char *name);
int proc_priority(struct proc *p, int priority);
int proc_weight(struct proc *p, int weight);
void proc_shares(void);
void proc_schedule(void);

/* message.c */
void box_clear(struct mailbox *box);
int box_put(struct mailbox *box, const struct message *m);
int box_take(struct mailbox *box, struct message *m);
int message_send(struct proc *p, struct proc *to, const struct message *m);
int message_receive(struct proc *p, struct message *m);
int message_note(struct proc *p, struct proc *to);
void message_abandon(struct proc *p);
int message_handle(const struct message *m);

/* clock.c */
void clock_init(void);
int timer_start(struct proc *p, u32 delay, u16 period);
void timer_cancel(struct proc *p);
void clock_tick(void);
int clock_hertz(int hertz);
u32 clock_milliseconds(u32 ticks);
u32 clock_busy(u32 part);

/* memory.c */
void memory_init(void);
int memory_take(u32 len);
int memory_give(u32 base, u32 len);
int user_read(const struct proc *p, u32 address, void *to, u32 n);
int user_write(const struct proc *p, u32 address, const void *from, u32 n);
int click_copy(u32 to, u32 from);
int memory_grow(struct proc *p, u32 len);
int pipe_open(void);
int pipe_write(u32 n, const struct proc *p, u32 address, u32 len);
int pipe_read(u32 n, const struct proc *p, u32 address, u32 len);
int pipe_close(u32 n);

/* file.c */
void file_init(void);
int file_open(struct proc *p, const char *name, int mode);
int file_close(struct proc *p, int handle);
int file_peek(struct proc *p, int handle, struct image *head);
int file_read(struct proc *p, int handle, u32 address, u32 n);
int file_write(struct proc *p, int handle, u32 address, u32 n);
int file_seek(struct proc *p, int handle, int position);
int file_duplicate(struct proc *p, int handle);
void file_share(struct proc *p);
void file_sync(void);

/* irq.c */
void irq_init(void);
int irq_hook(u32 line, u8 owner);
void irq_unhook(u8 owner);
void irq_enter(u32 line);
int irq_mask(u32 line, int masked);

/* tty.c */
void tty_init(void);
void tty_key(u8 code);
int tty_read(const struct proc *p, u32 address, u32 n);

/* system.c */
int system_call(struct proc *p, const struct request *r);

#endif
