/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of programs and launchers, in pieces: a byte for the pattern of the time, one
   for the length of the pieces, and the text. The result is the same as for the whole
   text at once. */
#include "cli/process/output.h"
#include "cli/launch/launcher.h"
#include "fuzz.h"
#include "lib/base/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    "^time ([0-9.eE+-]+) s",
    "time[: ]+(.*)$",
    "(x)|(seconds) = ([^ ]+)",
    "^ *Elapsed *=? *([0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?)",
};
enum { PATTERNS = sizeof texts / sizeof *texts };
static regex_t patterns[PATTERNS];

void fuzz_begin(void)
{
    for (int i = 0; i < PATTERNS; i++)
        fuzz_demand(mt_pattern_compile(&patterns[i], texts[i], NULL) == MT_OK);
}

/* Feed the text, `length` bytes at a time. */
static enum mt_pending_news eat(struct mt_output *output, const char *bytes,
                                size_t count, size_t piece)
{
    struct mt_pending pending = {.phrases = mt_launcher_slurm.pending};
    enum mt_pending_news most = MT_PENDING_NOTHING;
    for (size_t done = 0; done < count; done += piece) {
        const size_t length = count - done < piece ? count - done : piece;
        const enum mt_pending_news news =
            mt_pending_eat(&pending, bytes + done, length);
        most = news > most ? news : most;
        mt_output_eat(output, bytes + done, length);
    }
    mt_output_finish(output);
    return most;
}

/* The kept output can be printed and stored. */
static void check_text(const char *text)
{
    for (const char *c = text; c && *c; c++)
        fuzz_demand((unsigned char)*c >= ' ' ? *c != 127 : *c == '\n' || *c == '\t');
}

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < 2)
        return;
    struct mt_output *whole = calloc(1, sizeof *whole);
    struct mt_output *pieces = calloc(1, sizeof *pieces);
    const char *bytes = (const char *)data + 2;
    double seconds = 0, again = 0;
    whole->pattern = pieces->pattern = &patterns[data[0] % PATTERNS];
    const enum mt_pending_news news = eat(whole, bytes, size - 2, size);
    fuzz_demand(news == eat(pieces, bytes, size - 2, data[1] + 1u));
    fuzz_demand(whole->found == pieces->found);
    fuzz_demand(strcmp(whole->number, pieces->number) == 0);
    if (whole->found && mt_output_number(whole, &seconds, NULL) == MT_OK) {
        fuzz_demand(seconds > 0 && isfinite(seconds));
        fuzz_demand(mt_output_number(pieces, &again, NULL) == MT_OK);
        fuzz_demand(seconds == again);
    }
    char *text = mt_output_text(whole), *other = mt_output_text(pieces);
    fuzz_demand(!text == !other && (!text || strcmp(text, other) == 0));
    check_text(text);
    free(text);
    free(other);
    free(whole);
    free(pieces);
}
