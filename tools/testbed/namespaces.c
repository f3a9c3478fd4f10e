/* SPDX-License-Identifier: BSD-3-Clause */
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int mt_namespace_enter(pid_t pid, const char *kind, struct mt_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, kind);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int status = MT_OK;
    if (descriptor < 0 || setns(descriptor, 0) != 0)
        status = mt_fail(err, MT_EIO, "cannot enter the namespace '%s': %s", path,
                         strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

int mt_namespaces_enter(pid_t pid, struct mt_error *err)
{
    static const char *const kinds[] = {"net", "uts", "ipc", "mnt", NULL};
    /* Threads of libraries, which share the current folder, would be in the way. */
    int status = unshare(CLONE_FS) == 0
                     ? MT_OK
                     : mt_fail(err, MT_EIO, "cannot unshare: %s", strerror(errno));
    for (int i = 0; status == MT_OK && kinds[i]; i++)
        status = mt_namespace_enter(pid, kinds[i], err);
    return status;
}
