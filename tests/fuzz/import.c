/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs that other tools measured. The first line has the options: a condition, a group
 * and columns, separated by blanks, with - for none; the rest is the file. CSV and JSON
 * stay the same when written and read again.
 */
#include "cli/data/formats.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

void fuzz_begin(void)
{
    FILE *nothing = fopen("/dev/null", "w");
    fuzz_demand(nothing != NULL);
    stderr = nothing; /* it reports unused columns */
}

static const char *next_word(char **rest)
{
    const char *word = strsep(rest, " ");
    return word && *word && strcmp(word, "-") != 0 ? word : NULL;
}

static int read_runs(struct mt_runs *runs, struct mt_source source, const void *bytes,
                     size_t size)
{
    struct mt_error err;
    source.path = "file";
    source.cluster = "lab";
    source.program = "lu";
    source.stream = fuzz_stream(bytes, size);
    const int status = mt_source_read(&source, runs, &err);
    fclose(source.stream);
    return status;
}

static void write_runs(struct fuzz_page *page, const struct mt_format *format,
                       const struct mt_runs *runs)
{
    fuzz_page_open(page);
    format->write(page->stream, runs);
    fuzz_page_close(page);
}

static void write_again(const struct mt_format *format, const struct mt_runs *runs)
{
    struct fuzz_page first = {0}, second = {0};
    struct mt_runs again = {0};
    write_runs(&first, format, runs);
    const struct mt_source plain = {0};
    fuzz_demand(read_runs(&again, plain, first.text, first.length) == MT_OK);
    fuzz_demand(again.count == runs->count);
    write_runs(&second, format, &again);
    fuzz_demand(fuzz_page_same(&first, &second));
    mt_runs_clear(&again);
    fuzz_page_clear(&first);
    fuzz_page_clear(&second);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static const struct mt_format *const formats[] = {&mt_format_csv, &mt_format_json};
    struct mt_source source = {0};
    struct mt_runs runs = {0};
    char *line = fuzz_line(&data, &size), *rest = line;
    source.where = next_word(&rest);
    source.group = next_word(&rest);
    source.columns = rest && *rest ? rest : NULL;
    if (read_runs(&runs, source, data, size) == MT_OK && runs.count > 0)
        for (int i = 0; i < 2; i++)
            write_again(formats[i], &runs);
    mt_runs_clear(&runs);
    free(line);
}
