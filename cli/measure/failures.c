/* SPDX-License-Identifier: BSD-3-Clause */
#include "failures.h"

#include <string.h>

/* Enough to see why SimGrid aborts, above the backtrace that it ends with. */
enum { LINES_SHOWN = 6 };

void mt_failures_add(struct mt_failures *failures, struct mt_run *run)
{
    if (failures->count < MT_FAILURES_SHOWN) {
        failures->shown[failures->count] = *run;
        *run = (struct mt_run){0}; /* now the list's */
    } else {
        mt_run_clear(run);
    }
    failures->count++;
}

/* The last lines of the output, indented. */
static void print_end(const char *output, FILE *stream)
{
    const char *end = output + strlen(output);
    while (end > output && end[-1] == '\n')
        end--;
    const char *start = end;
    for (int lines = 0; start > output; start--)
        if (start[-1] == '\n' && ++lines == LINES_SHOWN)
            break;
    while (start < end) {
        const char *line_end = memchr(start, '\n', (size_t)(end - start));
        if (!line_end)
            line_end = end;
        fprintf(stream, "    %.*s\n", (int)(line_end - start), start);
        start = line_end + 1;
    }
}

void mt_failures_print(const struct mt_failures *failures, FILE *stream)
{
    if (failures->count == 0)
        return;
    fprintf(stream, failures->count == 1 ? "%d run failed:\n" : "%d runs failed:\n",
            failures->count);
    for (int i = 0; i < failures->count && i < MT_FAILURES_SHOWN; i++) {
        const struct mt_run *run = &failures->shown[i];
        fprintf(stream, "  %s, N = %.15g, repetition %d: %s\n", run->configuration,
                run->size, run->repetition, run->reason);
        if (run->output)
            print_end(run->output, stream);
    }
    if (failures->count > MT_FAILURES_SHOWN)
        fprintf(stream, "  and %d more\n", failures->count - MT_FAILURES_SHOWN);
}

void mt_failures_clear(struct mt_failures *failures)
{
    for (int i = 0; i < failures->count && i < MT_FAILURES_SHOWN; i++)
        mt_run_clear(&failures->shown[i]);
    *failures = (struct mt_failures){0};
}
