/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that reads its size from a file: finds the numbers in it, selects N, writes
   the template, and shows by two runs that N changes the time. One scanner reads
   namelists, "key = value", "key: value", JSON and "key value": a number has the word
   before it. */
#include "init.h"

#include "cli/common/format.h"
#include "cli/launch/fill.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "cli/run/stage.h"
#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/base/text.h"
#include "lib/input/template.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NUMBERS = 10000, LONGEST_FILE = 1 << 20 };

/* A whole number that may be a size, in a text. */
struct number {
    char *name; /* owned; "nx", the second of that name "nx[2]" */
    int line;
    size_t begin, length;
    double value;
};

struct scan {
    const char *text;       /* borrowed */
    struct number *numbers; /* owned */
    int count;
    int unnamed; /* the last of them have no name yet */
    char name[64];
};

static void scan_clear(struct scan *scan)
{
    for (int i = 0; i < scan->count; i++)
        free(scan->numbers[i].name);
    free(scan->numbers);
}

/* Name those that have no name yet. */
static void name_numbers(struct scan *scan, const char *name)
{
    for (; scan->unnamed > 0; scan->unnamed--) {
        int before = 0;
        const int last = scan->count - scan->unnamed;
        const size_t length = strlen(name);
        for (int i = 0; i < last; i++)
            before += strncmp(scan->numbers[i].name, name, length) == 0 &&
                      strchr("[", scan->numbers[i].name[length]);
        scan->numbers[last].name =
            before > 0 ? mt_asprintf("%s[%d]", name, before + 1) : mt_strdup(name);
    }
}

/* A name. Unnamed numbers before the first name of a line get it. */
static void take_word(struct scan *scan, const char *word, size_t length)
{
    snprintf(scan->name, sizeof scan->name, "%.*s", (int)length, word);
    name_numbers(scan, scan->name);
}

/* Skips text that is not a whole number in the range of sizes, as 1.5 or 2*400. */
static void take_number(struct scan *scan, int line, size_t begin, size_t length,
                        bool named)
{
    double value;
    char *text = mt_asprintf("%.*s", (int)length, scan->text + begin);
    if (mt_init_read_size(&value, text) && scan->count < MOST_NUMBERS) {
        mt_array_extend(&scan->numbers, scan->count, sizeof *scan->numbers);
        scan->numbers[scan->count++] = (struct number){
            .line = line, .begin = begin, .length = length, .value = value};
        scan->unnamed++;
        if (named)
            name_numbers(scan, scan->name);
    }
    free(text);
}

static void scan_line(struct scan *scan, int line, size_t begin, size_t end)
{
    static const char ends[] = " \t\r,;()[]{}=:/!#\"'";
    bool named = false;
    begin += strspn(scan->text + begin, " \t");
    for (size_t at = begin, next; at < end; at = next) {
        const char *here = scan->text + at;
        const char c = *here;
        next = at + 1;
        if (strchr("!#", c) || strncmp(here, "//", 2) == 0 || (c == ';' && at == begin))
            break;
        if (c == '"' || c == '\'') {
            const char *close = memchr(here + 1, c, end - next);
            if (!close)
                continue;
            next = (size_t)(close - scan->text) + 1;
            const size_t length = (size_t)(close - here) - 1;
            if (isdigit((unsigned char)here[1]))
                take_number(scan, line, at + 1, length, named);
            if (!isalpha((unsigned char)here[1]))
                continue;
            take_word(scan, here + 1, length);
            named = true;
        } else if (!strchr(ends, c)) {
            const size_t rest = strcspn(here, ends), left = end - at;
            const size_t length = rest < left ? rest : left;
            next = at + length;
            if (isalpha((unsigned char)c) || c == '_') {
                take_word(scan, here, length);
                named = true;
            } else if (isdigit((unsigned char)c)) {
                take_number(scan, line, at, length, named);
            }
        }
    }
    name_numbers(scan, *scan->name ? scan->name : "number");
}

static void scan_text(struct scan *scan, const char *text)
{
    int line = 1;
    scan->text = text;
    for (const char *at = text + mt_init_mark_length(text); *at; line++) {
        const size_t length = strcspn(at, "\n");
        scan_line(scan, line, (size_t)(at - text), (size_t)(at - text) + length);
        at += length + (at[length] == '\n');
    }
}

static int read_text(char **text, const char *path, struct mt_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_EINVAL, "--input: cannot read '%s': %s", path,
                       strerror(errno));
    *text = mt_calloc(LONGEST_FILE + 2, 1);
    const size_t length = fread(*text, 1, LONGEST_FILE + 1, file);
    const bool failed = ferror(file);
    fclose(file);
    if (failed || length > LONGEST_FILE || strlen(*text) != length)
        return mt_fail(err, MT_EINVAL, "--input: '%s' %s", path,
                       failed ? "cannot be read" : "is not text, or is over 1 MiB");
    return MT_OK;
}

static void list_numbers(const struct scan *scan, FILE *stream)
{
    for (int i = 0; i < scan->count; i++) {
        const struct number *number = &scan->numbers[i];
        fprintf(stream, "%s = %.0f (line %d)\n", number->name, number->value,
                number->line);
    }
}

static const struct number *find_number(const struct scan *scan, const char *name)
{
    for (int i = 0; i < scan->count; i++)
        if (strcasecmp(scan->numbers[i].name, name) == 0)
            return &scan->numbers[i];
    return NULL;
}

/* The number that --size names, or that the user names on a terminal. */
static int choose_number(const struct number **number, const struct scan *scan,
                         const struct mt_init_input *input, struct mt_error *err)
{
    char answer[128] = "";
    const char *name = input->size;
    if (scan->count == 0)
        return mt_fail(err, MT_EINVAL,
                       "--input: '%s' has no whole number above 1 that could be the "
                       "size",
                       input->path);
    const bool asks = !name && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    if (!name)
        list_numbers(scan, asks ? stderr : stdout);
    if (asks) {
        fprintf(stderr, "Which of these is the size N? ");
        if (!fgets(answer, sizeof answer, stdin))
            answer[0] = '\0';
        answer[strcspn(answer, "\r\n")] = '\0';
        name = answer;
    }
    if (!name)
        return mt_fail(err, MT_EINVAL,
                       "which of the numbers of '%s' is the size N? say it by --size "
                       "NAME",
                       input->path);
    *number = find_number(scan, name);
    return *number ? MT_OK
                   : mt_fail(err, MT_EINVAL,
                             "'%s' has no number '%.60s'; without --size they are "
                             "listed",
                             input->path, name);
}

/* The text with {N} in place of the number. */
static int write_template(const char *path, const char *text,
                          const struct number *number, struct mt_error *err)
{
    char **parts = NULL, *before = mt_asprintf("%.*s", (int)number->begin, text);
    FILE *file = NULL;
    int status = mt_template_add(&parts, before, err);
    if (status == MT_OK)
        status = mt_template_add(&parts, text + number->begin + number->length, err);
    if (status == MT_OK)
        status = mt_init_create(&file, path, err);
    if (status == MT_OK) {
        fprintf(file, "%s{N}%s", parts[0], parts[1]);
        const bool failed = ferror(file);
        if (fclose(file) != 0 || failed)
            status =
                mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    }
    free(before);
    mt_argv_free(parts);
    return status;
}

int mt_init_read_input(struct mt_init_input *input, struct mt_error *err)
{
    struct scan scan = {0};
    const struct number *number = NULL;
    char *text = NULL;
    const char *slash = strrchr(input->path, '/');
    int status = read_text(&text, input->path, err);
    if (status == MT_OK) {
        scan_text(&scan, text);
        status = choose_number(&number, &scan, input, err);
    }
    /* its place in the folder of a run */
    const bool stays = input->path[0] != '/' && !strstr(input->path, "..");
    input->file = mt_strdup(stays || !slash ? input->path : slash + 1);
    input->template = mt_asprintf("%s.template", slash ? slash + 1 : input->path);
    if (status == MT_OK) {
        input->name = mt_strdup(number->name);
        input->value = number->value;
        status = write_template(input->template, text, number, err);
    }
    scan_clear(&scan);
    free(text);
    return status;
}

void mt_init_clear_input(struct mt_init_input *input)
{
    free(input->file);
    free(input->template);
    free(input->name);
    input->file = input->template = input->name = NULL;
}

/* The last line of the output, cut off there. */
static const char *last_line(char *output)
{
    size_t length = output ? strlen(output) : 0;
    while (length > 0 && output[length - 1] == '\n')
        output[--length] = '\0';
    const char *line = length > 0 ? strrchr(output, '\n') : NULL;
    return line ? line + 1 : length > 0 ? output : "it printed nothing";
}

/* A run of the program alone, as one process. `*seconds` from its start to its end. */
static int run_alone(double *seconds, const struct mt_launch *launch,
                     struct mt_error *err)
{
    struct mt_stage stage = {.launch = launch, .timeout = launch->program->timeout};
    struct mt_process process = {.timeout = launch->program->timeout};
    struct mt_error reason;
    char **argv = NULL, limit[32];
    int interrupted = 0,
        status = mt_fill_command(&argv, launch->program->command, launch, err);
    if (status == MT_OK)
        status = mt_stage_begin(&stage, &interrupted, err);
    process.argv = argv;
    process.folder = stage.folder;
    if (status == MT_OK && interrupted == 0)
        status = mt_process_run(&process, &interrupted, err);
    char *output = mt_output_text(&process.output);
    if (status == MT_OK && interrupted != 0)
        status = mt_fail(err, MT_EIO, "N = %.0f: it was interrupted", launch->size);
    else if (status == MT_OK && process.timed_out)
        status = mt_fail(err, MT_EIO, "N = %.0f: it took longer than %s", launch->size,
                         mt_format_seconds(limit, process.timeout));
    else if (status == MT_OK && (process.exit_code != 0 || process.signal != 0))
        status = mt_fail(err, MT_EIO, "N = %.0f: %s %d: %.120s", launch->size,
                         process.signal ? "signal" : "exit status",
                         process.signal ? process.signal : process.exit_code,
                         last_line(output));
    *seconds = process.wall;
    free(output);
    if (stage.folder && mt_stage_end(&stage, false, &interrupted, &reason) != MT_OK)
        fprintf(stderr, "motley: %s\n", reason.text);
    mt_argv_free(argv);
    return status;
}

/* Run the program alone, on this machine, with two of the measured sizes: the first,
   and the last unless that may take long. Short runs, whose times scatter, are
   repeated, and the fastest count. */
static int run_both(double sizes[2], double seconds[2],
                    const struct mt_program *program, struct mt_error *err)
{
    enum { ROUNDS = 3 };
    const double is_short = 1;
    char name[] = "here", group_name[] = "localhost", word[] = "{program}";
    char *launch_words[] = {word, NULL}, *hosts[] = {group_name};
    struct mt_layout layout = {.processes = 1};
    struct mt_group group = {.name = group_name,
                             .hosts = hosts,
                             .nodes = 1,
                             .layouts = &layout,
                             .nlayouts = 1};
    const struct mt_cluster cluster = {.name = name,
                                       .path = name,
                                       .launcher = MT_LAUNCH_COMMAND,
                                       .launch = launch_words,
                                       .groups = &group,
                                       .ngroups = 1};
    const struct mt_configuration configuration = {.use = {{1, layout}}};
    struct mt_launch launch = {
        .cluster = &cluster, .program = program, .configuration = &configuration};
    const double *measured = program->measure_sizes;
    const int last = program->nmeasure_sizes - 1;
    int status = MT_OK;
    for (int i = 0; i < 2 * ROUNDS && status == MT_OK; i++) {
        const int which = i % 2;
        double wall;
        if (i == 0)
            sizes[0] = measured[0];
        else if (i == 1)
            sizes[1] = measured[seconds[0] < is_short ? last : (last + 1) / 2];
        else if (seconds[1] >= is_short)
            break;
        launch.size = sizes[which];
        status = run_alone(&wall, &launch, err);
        seconds[which] = i < 2 ? wall : fmin(seconds[which], wall);
    }
    return status;
}

int mt_init_prove(const struct mt_init_input *input, const char *path,
                  struct mt_error *err)
{
    const double clear = 1.2; /* above the scatter of runs of the same size */
    struct mt_program program = {0};
    double sizes[2], seconds[2] = {0};
    char *scratch = NULL, first[32], last[32];
    struct mt_error reason;
    int status = mt_program_load(&program, path, &reason);
    if (status == MT_OK) /* starts a session, which folders of runs need */
        status = mt_scratch_make(&scratch, &reason);
    if (status == MT_OK)
        status = run_both(sizes, seconds, &program, &reason);
    mt_scratch_remove(scratch);
    mt_program_clear(&program);
    if (status != MT_OK)
        return mt_fail(err, status, "a run of '%s' failed: %s; it and '%s' are removed",
                       path, reason.text, input->template);
    mt_format_seconds(first, seconds[0]);
    mt_format_seconds(last, seconds[1]);
    if (seconds[1] < clear * seconds[0] && seconds[0] < clear * seconds[1])
        return mt_fail(
            err, MT_EINVAL,
            "'%s' of '%s' does not change the time: %.0f takes %s, %.0f "
            "takes %s; no program file was written: take another number, or write a "
            "larger one into the file",
            input->name, input->path, sizes[0], first, sizes[1], last);
    printf("%s: N stands for '%s' in '%s', and is measured up to %.0f\n", path,
           input->name, input->template, input->value);
    printf("%s: N = %.0f takes %s, N = %.0f takes %s\n", path, sizes[0], first,
           sizes[1], last);
    return MT_OK;
}
