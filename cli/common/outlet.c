/* SPDX-License-Identifier: BSD-3-Clause */
#include "outlet.h"

#include "lib/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Behind a stream that cleans. */
struct outlet {
    int descriptor;
    struct mt_text_cleaner cleaner;
};

static bool write_all(int descriptor, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* 0 tells stdio of a failure. */
static ssize_t write_clean(void *cookie, const char *bytes, size_t count)
{
    enum { PIECE = 8192, MORE = sizeof((struct mt_text_cleaner *)0)->held };
    struct outlet *outlet = cookie;
    char clean[PIECE + MORE];
    for (size_t done = 0; done < count;) {
        const size_t piece = count - done < PIECE ? count - done : PIECE;
        const size_t length =
            mt_text_clean_bytes(&outlet->cleaner, bytes + done, piece, clean);
        if (!write_all(outlet->descriptor, clean, length))
            return 0;
        done += piece;
    }
    return (ssize_t)count;
}

void mt_outlet_begin(void)
{
    static struct outlet outlets[] = {{.descriptor = STDOUT_FILENO},
                                      {.descriptor = STDERR_FILENO}};
    static const cookie_io_functions_t functions = {.write = write_clean};
    FILE *out = fopencookie(&outlets[0], "w", functions),
         *messages = fopencookie(&outlets[1], "w", functions);
    if (!out || !messages)
        abort(); /* without memory for two streams nothing works */
    setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    setvbuf(messages, NULL, _IONBF, 0);
    stdout = out;
    stderr = messages;
}

static int close_file(void *cookie)
{
    struct outlet *outlet = cookie;
    const int failed = close(outlet->descriptor);
    free(outlet);
    return failed;
}

int mt_outlet_open(FILE **stream, const char *path, struct mt_error *err)
{
    static const cookie_io_functions_t functions = {.write = write_clean,
                                                    .close = close_file};
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    struct outlet *outlet = calloc(1, sizeof *outlet);
    FILE *opened = outlet ? fopencookie(outlet, "w", functions) : NULL;
    if (!opened) {
        free(outlet);
        close(descriptor);
        return mt_fail(err, MT_ENOMEM, "no memory to write '%s'", path);
    }
    outlet->descriptor = descriptor;
    *stream = opened;
    return MT_OK;
}

int mt_outlet_close(FILE *stream, const char *path, int status, struct mt_error *err)
{
    bool failed = ferror(stream);
    failed = fclose(stream) != 0 || failed;
    if (failed && status == MT_OK)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    return status;
}
