/* SPDX-License-Identifier: BSD-3-Clause */
/* The file under a store: checks that its name still leads to it, and holds the lock of
   the process that measures into it. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The locked byte, far beyond the end of any database. */
static const off_t claimed_byte = (off_t)1 << 62;

int mt_file_hold(int *file, const char *real, const char *path, struct mt_error *err)
{
    /* O_PATH: closing it does not drop SQLite's locks, as with other descriptors. */
    const int opened = open(real, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0)
        return mt_fail(err, MT_EIO, "cannot open store '%s': %s", path,
                       strerror(errno));
    *file = opened;
    return MT_OK;
}

int mt_file_check(int file, const char *path, struct mt_error *err)
{
    struct stat opened, named;
    if (fstat(file, &opened) != 0)
        return mt_fail(err, MT_EIO, "cannot look at store '%s': %s", path,
                       strerror(errno));
    const bool there = stat(path, &named) == 0;
    if (there && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        return MT_OK;
    if (there)
        return mt_fail(err, MT_EIO, "another file was put in place of store '%s'",
                       path);
    return mt_fail(err, MT_EIO,
                   errno == ENOENT ? "store '%s' was removed while it was in use"
                                   : "store '%s' cannot be reached any more: %s",
                   path, strerror(errno));
}

/* The lock covers one byte of the store itself, so it cannot be deleted like a lock
   file, and two names of one store are one claim. It belongs to the open file, not the
   process: closing other descriptors of the store does not drop it, and it ends with
   the process, whose children do not inherit the descriptor. flock() would not do: on
   NFS it locks the whole file, SQLite's bytes included. */
int mt_file_claim(int *claim, const char *real, const char *path, struct mt_error *err)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = claimed_byte, .l_len = 1};
    if (*claim < 0)
        *claim = open(real, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*claim < 0)
        return mt_fail(err, MT_EIO, "cannot open store '%s': %s", path,
                       strerror(errno));
    if (fcntl(*claim, F_OFD_SETLK, &lock) == 0)
        return MT_OK;
    if (errno != EAGAIN && errno != EACCES)
        return mt_fail(err, MT_EIO, "cannot lock store '%s': %s", path,
                       strerror(errno));
    return mt_fail(
        err, MT_EBUSY,
        "another motley measures into store '%s'; wait until it has ended, or "
        "choose another store",
        path);
}
