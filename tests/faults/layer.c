/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layer.c - a library preloaded into motley (LD_PRELOAD) that simulates faults of its
 * disk and its clock:
 *
 *   FAULT_FILES   a part of the paths to which this happens, as motley.db
 *   FAULT_SWITCH  a file: while it is there, what it contains happens:
 *                   ENOSPC, EROFS   nothing can be written or made
 *                   EIO             nothing can be written, read or synced
 *                   a number        the clock of the day is so many seconds off
 *   FAULT_KILL    the process is killed before its so many-th write
 *
 * Launchers, programs and the guard have it as well, but it lets them alone.
 */
#undef _FILE_OFFSET_BITS /* here both names of a function are meant */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) __typeof__(name) *next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* Read the switch; false: it does not exist, or this is not motley. */
static bool read_switch(char text[32])
{
    NEXT(open);
    const char *path = getenv("FAULT_SWITCH");
    if (!path || strcmp(program_invocation_short_name, "motley") != 0)
        return false;
    const int before = errno, file = next(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, text, 31) : 0;
    if (file >= 0)
        close(file);
    errno = before;
    text[count > 0 ? count : 0] = 0;
    text[strcspn(text, "\n")] = 0;
    return count > 0;
}

static bool is_path_meant(const char *path)
{
    const char *files = getenv("FAULT_FILES");
    return files && strstr(path, files);
}

static bool is_file_meant(int file)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    return is_path_meant(path);
}

/* The current error of writes, or of reads; 0: none. */
static int fault(bool writes)
{
    char text[32];
    if (!read_switch(text))
        return 0;
    if (!strcmp(text, "EIO"))
        return EIO;
    if (!writes)
        return 0;
    return !strcmp(text, "ENOSPC") ? ENOSPC : !strcmp(text, "EROFS") ? EROFS : 0;
}

/* Disk failures do not kill: this simulates kill -9 at any moment of a commit. */
static void count_write(void)
{
    static int writes;
    const char *number = getenv("FAULT_KILL");
    if (number && !strcmp(program_invocation_short_name, "motley") &&
        ++writes == atoi(number))
        raise(SIGKILL);
}

static bool fails(int file, bool writes)
{
    if (!is_file_meant(file))
        return false;
    if (writes)
        count_write();
    const int error = fault(writes);
    if (error != 0)
        errno = error;
    return error != 0;
}

static bool open_fails(const char *path, int flags)
{
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!is_path_meant(path))
        return false;
    const int error = fault(writes);
    /* On a full disk, existing files can still be opened. */
    if (error == 0 || (error == ENOSPC && access(path, F_OK) == 0))
        return false;
    errno = error;
    return true;
}

static int mode_of(int flags, va_list arguments)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, int) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        NEXT(name); \
        va_list arguments; \
        va_start(arguments, flags); \
        const int mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return open_fails(path, flags) ? -1 : next(path, flags, mode); \
    }

#undef open64
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *bytes, size_t count)
{
    NEXT(write);
    return fails(file, true) ? -1 : next(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    NEXT(pwrite);
    return fails(file, true) ? -1 : next(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
    NEXT(pwrite64);
    return fails(file, true) ? -1 : next(file, bytes, count, offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset)
{
    NEXT(pread64);
    return fails(file, false) ? -1 : next(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t length)
{
    NEXT(ftruncate64);
    return fails(file, true) ? -1 : next(file, length);
}

int fsync(int file)
{
    NEXT(fsync);
    return fails(file, true) ? -1 : next(file);
}

int fdatasync(int file)
{
    NEXT(fdatasync);
    return fails(file, true) ? -1 : next(file);
}

static long seconds_off(void)
{
    char text[32];
    return read_switch(text) ? strtol(text, NULL, 10) : 0;
}

time_t time(time_t *result)
{
    NEXT(time);
    const time_t now = next(NULL) + seconds_off();
    if (result)
        *result = now;
    return now;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    NEXT(clock_gettime);
    const int status = next(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += seconds_off();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    NEXT(gettimeofday);
    const int status = next(now, zone);
    now->tv_sec += seconds_off();
    return status;
}
