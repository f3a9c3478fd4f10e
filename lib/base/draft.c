/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes files whole or not at all: a temporary file next to the target, then
   rename(). */
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, int reason, struct mt_error *err)
{
    return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(reason));
}

static void clear(struct mt_draft *draft)
{
    free(draft->path);
    free(draft->temporary);
    *draft = (struct mt_draft){0};
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Whether a new file may replace it. Not /dev/stdout, even as a regular file, since
   others write into it, too; not a dangling link, which must create its target; and not
   another user's file, whose owner a new one could not have. */
static bool is_replaceable(const char *path)
{
    struct stat old;
    if (begins_with(path, "/dev/std") || begins_with(path, "/dev/fd/") ||
        begins_with(path, "/proc/"))
        return false;
    if (stat(path, &old) != 0)
        return lstat(path, &old) != 0;
    return S_ISREG(old.st_mode) && (geteuid() == 0 || old.st_uid == geteuid());
}

/* The draft gets the mode and owner of the file, or those of a new file: mkstemp()
   makes files that only their owner may read. */
static void set_usual_mode(int descriptor, const char *path)
{
    struct stat old;
    const mode_t mask = umask(0);
    umask(mask);
    const bool exists = stat(path, &old) == 0;
    if (exists && fchown(descriptor, old.st_uid, old.st_gid) != 0)
        return; /* of a group that the user has left */
    if (fchmod(descriptor, exists ? old.st_mode & 0777 : 0666 & ~mask) != 0)
        return; /* at least its owner can read it */
}

static int open_directly(struct mt_draft *draft, struct mt_error *err)
{
    draft->stream = fopen(draft->path, "we");
    return draft->stream ? MT_OK : fail(draft->name, errno, err);
}

/* A file without write permission is not replaced either. A writable file in a folder
   without write permission is written directly. */
static int open_draft(struct mt_draft *draft, struct mt_error *err)
{
    const char *slash = strrchr(draft->path, '/');
    const int folder = slash ? (int)(slash - draft->path) + 1 : 0;
    if (access(draft->path, W_OK) != 0 && errno != ENOENT)
        return fail(draft->name, errno, err);
    if (asprintf(&draft->temporary, "%.*s.motley-XXXXXX", folder, draft->path) < 0) {
        draft->temporary = NULL;
        return fail(draft->name, ENOMEM, err);
    }
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): mt_draft_open() frees the path */
    const int descriptor = mkostemp(draft->temporary, O_CLOEXEC);
    if (descriptor < 0) {
        const int reason = errno;
        free(draft->temporary);
        draft->temporary = NULL;
        return reason == EACCES && access(draft->path, W_OK) == 0
                   ? open_directly(draft, err)
                   : fail(draft->name, reason, err);
    }
    set_usual_mode(descriptor, draft->path);
    draft->stream = fdopen(descriptor, "w");
    if (draft->stream)
        return MT_OK;
    close(descriptor);
    unlink(draft->temporary);
    return fail(draft->name, ENOMEM, err);
}

int mt_draft_open(struct mt_draft *draft, const char *path, struct mt_error *err)
{
    struct mt_draft opened = {.name = path};
    const bool replaceable = is_replaceable(path);
    if (replaceable)
        opened.path = realpath(path, NULL);
    if (!opened.path)
        opened.path = strdup(path);
    if (!opened.path)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    const int status =
        replaceable ? open_draft(&opened, err) : open_directly(&opened, err);
    if (status == MT_OK)
        *draft = opened;
    else
        clear(&opened);
    return status;
}

/* Close the stream; returns the errno of a failed write, or 0. An earlier failure fails
   again here, with its errno. A draft is on the disk before it replaces the file, so a
   crash leaves one or the other. */
static int finish(FILE *stream, bool on_disk)
{
    const bool failed = ferror(stream);
    int reason = 0;
    if (failed)
        fputc('\n', stream);
    if (fflush(stream) != 0)
        reason = errno;
    if (on_disk && !failed && reason == 0 && fsync(fileno(stream)) != 0 &&
        errno != EINVAL && errno != ENOSYS)
        reason = errno;
    if (fclose(stream) != 0 && reason == 0)
        reason = errno;
    return failed && reason == 0 ? EIO : reason;
}

int mt_draft_close(struct mt_draft *draft, int status, struct mt_error *err)
{
    int reason = finish(draft->stream, status == MT_OK && draft->temporary);
    if (status == MT_OK && reason == 0 && draft->temporary &&
        rename(draft->temporary, draft->path) != 0)
        reason = errno;
    if (reason != 0 && (status == MT_OK || status == MT_EIO))
        status = fail(draft->name, reason, err);
    if (status != MT_OK && draft->temporary)
        unlink(draft->temporary);
    clear(draft);
    return status;
}
