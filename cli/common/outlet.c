/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams that clean what is printed, on its way to a terminal or a file. */
#include "outlet.h"

#include "cli/process/memory.h"
#include "lib/base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of a cleaning stream. */
struct mt_outlet_sink {
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
    struct mt_outlet_sink *sink = cookie;
    char clean[PIECE + MORE];
    for (size_t done = 0; done < count;) {
        const size_t piece = count - done < PIECE ? count - done : PIECE;
        const size_t length =
            mt_text_clean_bytes(&sink->cleaner, bytes + done, piece, clean);
        if (!write_all(sink->descriptor, clean, length))
            return 0;
        done += piece;
    }
    return (ssize_t)count;
}

void mt_outlet_begin(void)
{
    static struct mt_outlet_sink sinks[] = {{.descriptor = STDOUT_FILENO},
                                            {.descriptor = STDERR_FILENO}};
    static const cookie_io_functions_t functions = {.write = write_clean};
    FILE *out = fopencookie(&sinks[0], "w", functions),
         *messages = fopencookie(&sinks[1], "w", functions);
    if (!out || !messages)
        abort(); /* without memory for two streams nothing works */
    setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    setvbuf(messages, NULL, _IONBF, 0);
    stdout = out;
    stderr = messages;
}

int mt_outlet_open(struct mt_outlet *outlet, const char *path, struct mt_error *err)
{
    static const cookie_io_functions_t functions = {.write = write_clean};
    struct mt_outlet opened = {0};
    const int status = mt_draft_open(&opened.draft, path, err);
    if (status != MT_OK)
        return status;
    opened.sink = mt_calloc(1, sizeof *opened.sink);
    opened.sink->descriptor = fileno(opened.draft.stream);
    opened.stream = mt_need(fopencookie(opened.sink, "w", functions));
    *outlet = opened;
    return MT_OK;
}

int mt_outlet_close(struct mt_outlet *outlet, int status, struct mt_error *err)
{
    errno = 0;
    if (ferror(outlet->stream)) /* an earlier failure fails again, with its reason */
        fputc('\n', outlet->stream);
    const bool failed = (fflush(outlet->stream) != 0) | ferror(outlet->stream);
    if (failed && (status == MT_OK || status == MT_EIO))
        status = mt_fail(err, MT_EIO, "cannot write '%s': %s", outlet->draft.name,
                         strerror(errno ? errno : EIO));
    fclose(outlet->stream);
    status = mt_draft_close(&outlet->draft, status, err);
    free(outlet->sink);
    *outlet = (struct mt_outlet){0};
    return status;
}
