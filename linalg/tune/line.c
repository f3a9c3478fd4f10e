/* SPDX-License-Identifier: BSD-3-Clause */
#include "line.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void print_text(const char *key, const char *text)
{
    printf("\"%s\":\"", key);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    printf("\",");
}

/* Never is null. */
static void print_number(const char *key, double number, const char *end)
{
    if (isfinite(number))
        printf("\"%s\":%.6g%s", key, number, end);
    else
        printf("\"%s\":null%s", key, end);
}

static void print_cutoff(const char *key, const struct mt_strassen_cutoff *cutoff,
                         const char *end)
{
    printf("\"%s\":{", key);
    print_number("rows", cutoff->rows, ",");
    print_number("columns", cutoff->columns, ",");
    print_number("depth", cutoff->depth, "}");
    fputs(end, stdout);
}

void tune_line_print(const struct tune_line *line)
{
    static const char *const sources[] = {[TUNING_FORCED] = "forced",
                                          [TUNING_MEASURED] = "measured",
                                          [TUNING_GUESSED] = "guessed"};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    putchar('{');
    print_text("host", host);
    print_text("processor", line->machine->processor);
    print_text("blas", line->machine->blas);
    if (line->machine->better_core)
        print_text("better_core", line->machine->better_core);
    printf("\"threads\":%d,", line->machine->threads);
    print_text("file", line->file);
    print_text("source", sources[line->source]);
    if (line->source == TUNING_GUESSED)
        print_text("why", line->why);
    printf("\"kernel\":%s,", line->tuning->kernel ? "true" : "false");
    print_cutoff("overwrite", &line->tuning->overwrite, ",");
    print_cutoff("accumulate", &line->tuning->accumulate, "}\n");
    fflush(stdout);
}
