/* Files: blocks of a disk, a cache of blocks, inodes, open files and handles. */
#include "kernel.h"

static u8 disk[NBLOCK][BLOCK_SIZE];

/* The number of a block that was free, or 0. Block 0 is never given away. */
static u8 block_take(void)
{
    u8 *map = k.files.map;

    for (u32 n = 1; n < NBLOCK; n++) {
        if (!(map[n / 8] >> n % 8 & 1)) {
            map[n / 8] |= (u8)(1 << n % 8);
            return (u8)n;
        }
    }
    return 0;
}

static void block_give(u8 n)
{
    k.files.map[n / 8] &= (u8)~(1 << n % 8);
}

static void buffer_flush(struct buffer *b)
{
    if (b->dirty) {
        memcpy(disk[b->block], b->data, BLOCK_SIZE);
        b->dirty = 0;
    }
}

static void buffer_unchain(struct buffer *b)
{
    struct buffer **head = &k.files.hash[b->block & (NHASH - 1)];
    struct buffer *before = NULL, *at = *head;

    while (at != NULL && at != b) {
        before = at;
        at = at->chain;
    }
    if (before == NULL)
        *head = b->chain;
    else
        before->chain = b->chain;
}

/* The buffer with a block. It takes the place of the block that was used longest ago. */
static struct buffer *buffer_get(u8 block)
{
    struct files *f = &k.files;
    struct buffer *b, *oldest = f->buffer;

    for (b = f->hash[block & (NHASH - 1)]; b != NULL; b = b->chain) {
        if (b->block == block) {
            b->stamp = ++f->stamp;
            return b;
        }
    }
    for (b = f->buffer + 1; b < f->buffer + NBUF; b++) {
        if (b->stamp < oldest->stamp)
            oldest = b;
    }
    buffer_flush(oldest);
    buffer_unchain(oldest);
    oldest->block = block;
    oldest->stamp = ++f->stamp;
    memcpy(oldest->data, disk[block], BLOCK_SIZE);
    oldest->chain = f->hash[block & (NHASH - 1)];
    f->hash[block & (NHASH - 1)] = oldest;
    return oldest;
}

void file_sync(void)
{
    for (struct buffer *b = k.files.buffer; b != &k.files.buffer[NBUF]; b++)
        buffer_flush(b);
}

/* The buffers hold block 0 at first. The disk has one file, which can be executed. */
void file_init(void)
{
    struct files *f = &k.files;
    struct image head = {IMAGE_MAGIC, 40, 8, 3};

    for (u32 i = 0; i < NHASH; i++)
        f->hash[i] = NULL;
    for (u32 i = 0; i < NBUF; i++) {
        f->buffer[i].chain = f->hash[0];
        f->hash[0] = &f->buffer[i];
    }
    for (u32 i = 0; i < NFILE; i++)
        f->file[i].inode = &f->inode[0];
    f->inode[0].links = 1;
    f->inode[0].size = 60;
    f->inode[0].block[0] = block_take();
    name_copy(f->inode[0].name, "shell");
    memcpy(disk[f->inode[0].block[0]], &head, sizeof head);
}

/* Looks a name up. The search begins where its hash says. Returns the inode or NULL. */
static struct inode *inode_find(const char *name)
{
    u32 n = name_hash(name) % NINODE;

    for (int tries = 0; tries < NINODE; tries++) {
        struct inode *i = &k.files.inode[n];

        if (i->links > 0 && name_equal(i->name, name))
            return i;
        n = n + 1 == NINODE ? 0 : n + 1;
    }
    return NULL;
}

static struct inode *inode_make(const char *name)
{
    u32 start = name_hash(name);

    for (u32 i = 0; i < NINODE; i++) {
        struct inode *node = &k.files.inode[(start % NINODE + i) % NINODE];

        if (node->links == 0) {
            node->links = 1;
            node->size = 0;
            bytes_fill(node->block, 0, sizeof node->block);
            name_copy(node->name, name);
            return node;
        }
    }
    return NULL;
}

/* Empties a file that is opened for writing. */
static void inode_truncate(struct inode *i)
{
    for (int n = 0; n < NDIRECT; n++) {
        if (i->block[n] != 0)
            block_give(i->block[n]);
        i->block[n] = 0;
    }
    i->size = 0;
}

/* The block at a position, or 0. */
static u8 inode_block(struct inode *i, u32 position, int create)
{
    u32 n = position / BLOCK_SIZE;

    if (n >= NDIRECT)
        return 0;
    if (i->block[n] == 0 && create) {
        u8 block = block_take();

        if (block != 0) {
            struct buffer *b = buffer_get(block);

            memset(b->data, 0, sizeof b->data);
            b->dirty = 1;
        }
        i->block[n] = block;
    }
    return i->block[n];
}

/* Where the number of the open file stands for a handle, or NULL if there is no such handle. */
static signed char *handle_place(struct proc *p, int handle)
{
    if (handle < 0 || handle >= NHANDLE)
        return NULL;
    return &p->handle[handle];
}

/* The open file behind a handle, or NULL. */
static struct file *file_of(struct proc *p, int handle)
{
    signed char *h = handle_place(p, handle);
    int n = h == NULL ? NIL : *h;

    return n == NIL ? NULL : &k.files.file[n];
}

static int handle_spare(const struct proc *p)
{
    int h = 0;

    while (h < NHANDLE && p->handle[h] != NIL)
        h++;
    return h < NHANDLE ? h : E_FULL;
}

/* Opens a file. For writing, it is made if need be, and emptied. */
int file_open(struct proc *p, const char *name, int mode)
{
    struct inode *i = inode_find(name);
    int h = handle_spare(p);
    signed char n = 0;

    if (h < 0)
        return h;
    if (mode != MODE_READ && mode != MODE_WRITE)
        return E_ARG;
    if (i == NULL && mode == MODE_WRITE)
        i = inode_make(name);
    if (i == NULL)
        return E_NONE;
    while (k.files.file[n].users > 0) {
        if (++n == NFILE)
            return E_FULL;
    }
    if (mode == MODE_WRITE)
        inode_truncate(i);
    k.files.file[n].inode = i;
    k.files.file[n].position = 0;
    k.files.file[n].mode = (u8)mode;
    k.files.file[n].users = 1;
    p->handle[h] = n;
    return h;
}

int file_close(struct proc *p, int handle)
{
    signed char *h = handle_place(p, handle);
    int n;

    if (h == NULL)
        return E_ARG;
    n = *h;
    if (n == NIL)
        return E_ARG;
    if (k.files.file[n].users > 0)
        k.files.file[n].users--;
    *h = NIL;
    return 0;
}

/* Gets the head of a program. */
int file_peek(struct proc *p, int handle, struct image *head)
{
    struct file *f = file_of(p, handle);
    u8 block;

    if (f == NULL || f->inode->size < sizeof *head)
        return E_ARG;
    block = inode_block(f->inode, 0, 0);
    if (block == 0)
        return E_NONE;
    memcpy(head, buffer_get(block)->data, sizeof *head);
    return 0;
}

/* Reads from a file, not beyond the end of a block. Returns how many bytes came. */
int file_read(struct proc *p, int handle, u32 address, u32 n)
{
    struct file *f = file_of(p, handle);
    u8 bytes[BLOCK_SIZE];
    u32 offset;
    u8 block;

    if (f == NULL || !(f->mode & MODE_READ))
        return E_ARG;
    if (f->position >= f->inode->size)
        return 0;
    if (n > (u32)(f->inode->size - f->position))
        n = (u32)(f->inode->size - f->position);
    offset = f->position % BLOCK_SIZE;
    if (n > BLOCK_SIZE - offset)
        n = BLOCK_SIZE - offset;
    block = inode_block(f->inode, f->position, 0);
    if (block == 0)
        memset(bytes, 0, n);
    else
        memcpy(bytes, buffer_get(block)->data + offset, n);
    if (user_write(p, address, bytes, n) < 0)
        return E_FAULT;
    f->position += (u16)n;
    return (int)n;
}

/* Writes to a file, not beyond the end of a block. Returns how many bytes went. */
int file_write(struct proc *p, int handle, u32 address, u32 n)
{
    struct file *f = file_of(p, handle);
    u8 bytes[BLOCK_SIZE];
    struct buffer *b;
    u32 offset;
    u8 block;

    if (f == NULL || !(f->mode & MODE_WRITE))
        return E_ARG;
    offset = f->position % BLOCK_SIZE;
    if (n > BLOCK_SIZE - offset)
        n = BLOCK_SIZE - offset;
    if (user_read(p, address, bytes, n) < 0)
        return E_FAULT;
    block = inode_block(f->inode, f->position, 1);
    if (block == 0)
        return E_FULL;
    b = buffer_get(block);
    for (u32 i = 0; i < n; i++)
        b->data[(offset + i) % BLOCK_SIZE] = bytes[i];
    b->dirty = 1;
    f->position += (u16)n;
    if (f->position > f->inode->size)
        f->inode->size = f->position;
    return (int)n;
}

int file_seek(struct proc *p, int handle, int position)
{
    struct file *f = file_of(p, handle);

    if (f == NULL || position < 0 || position > f->inode->size)
        return E_ARG;
    f->position = (u16)position;
    return position;
}

int file_duplicate(struct proc *p, int handle)
{
    struct file *f = file_of(p, handle);
    int h = handle_spare(p);

    if (f == NULL || h < 0)
        return E_ARG;
    f->users++;
    p->handle[h] = (signed char)(f - k.files.file);
    return h;
}

/* A new process shares the open files of its parent. */
void file_share(struct proc *p)
{
    for (int h = 0; h < NHANDLE; h++) {
        int n = p->handle[h];

        if (n != NIL)
            k.files.file[n].users++;
    }
}
