/* A slow disk, for scripts/stress: loaded before the C library, it delays now and then what writes to a disk. It makes
   the system calls itself, since a search for the library's own functions takes a lock, which a fork may find taken. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* One call in `rarity` takes longer: most of these by a few milliseconds, a quarter by up to half a second. */
static void dawdle(unsigned rarity)
{
    unsigned drawn[3];
    int before = errno;
    if (getrandom(drawn, sizeof drawn, GRND_NONBLOCK) == sizeof drawn && drawn[0] % rarity == 0) {
        long milliseconds = 1 + drawn[1] % (drawn[2] % 4 == 0 ? 500 : 20);
        nanosleep(&(struct timespec){0, milliseconds * 1000000L}, NULL);
    }
    errno = before;
}

static int slow_open(int folder, const char *path, int flags, va_list rest)
{
    /* Only who makes a file says with which rights. */
    mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
    if ((flags & O_ACCMODE) != O_RDONLY)
        dawdle(50);
    return syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN                                         \
    va_list rest;                                    \
    va_start(rest, flags);                           \
    int file = slow_open(folder, path, flags, rest); \
    va_end(rest);                                    \
    return file;

int openat(int folder, const char *path, int flags, ...) { OPEN }
int openat64(int folder, const char *path, int flags, ...) { OPEN }
#define folder AT_FDCWD
int open(const char *path, int flags, ...) { OPEN }
int open64(const char *path, int flags, ...) { OPEN }

int fsync(int file)
{
    dawdle(5);
    return syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    dawdle(5);
    return syscall(SYS_fdatasync, file);
}
