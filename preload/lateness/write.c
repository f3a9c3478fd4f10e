/* SPDX-License-Identifier: BSD-3-Clause */
#include "write.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In one piece, unless a signal or a full disk cuts it. 0, or -1 with errno set. */
static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

/* What `print` prints goes to `fd`. 0, or -1 with errno set. */
static int put(int fd, void (*print)(FILE *, const struct findings *),
               const struct findings *findings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return -1;
    print(stream, findings);
    const int failed = fclose(stream) != 0 || write_all(fd, text, size) != 0;
    free(text);
    return failed ? -1 : 0;
}

void report_put_page(const struct findings *findings)
{
    (void)put(STDERR_FILENO, report_page, findings);
}

void report_put_json(const struct findings *findings, const char *file)
{
    const int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const int put_failed = fd < 0 || put(fd, report_json, findings) != 0;
    const int reason = errno;
    if (fd >= 0 && close(fd) == 0 && !put_failed)
        return;
    fprintf(stderr, "motley-balance: cannot write the report to '%s': %s\n", file,
            strerror(put_failed ? reason : errno));
}
