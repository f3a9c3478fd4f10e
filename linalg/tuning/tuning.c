/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the crossings of this machine, and reads and writes their files. */
#include "motley/tuning.h"

#include "lib/base/draft.h"
#include "tuning.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char heading[] = "# Where another level of Strassen's method pays, found "
                              "by motley-tune(1).\n";

/* The crossings by name. */
static const struct number {
    const char *name;
    size_t offset;
} numbers[] = {
    {"overwrite rows", offsetof(struct mt_strassen_tuning, overwrite.rows)},
    {"overwrite columns", offsetof(struct mt_strassen_tuning, overwrite.columns)},
    {"overwrite depth", offsetof(struct mt_strassen_tuning, overwrite.depth)},
    {"accumulate rows", offsetof(struct mt_strassen_tuning, accumulate.rows)},
    {"accumulate columns", offsetof(struct mt_strassen_tuning, accumulate.columns)},
    {"accumulate depth", offsetof(struct mt_strassen_tuning, accumulate.depth)},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Whole numbers, as a program's locale may have another decimal point. */
static const long largest_number = 1000000000;

/* Replace each run of characters other than letters, digits and inner points by '-'. */
static void make_name(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        const bool plain = isalnum((unsigned char)*from) || *from == '.';
        if (plain || (to > text && to[-1] != '-'))
            *to++ = plain ? *from : '-';
    }
    *to = '\0';
}

int tuning_file_path(char path[PATH_MAX], const struct tuning_machine *machine,
                     struct mt_error *err)
{
    char name[sizeof machine->processor + sizeof machine->blas + 16];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool own = cache && cache[0] == '/';
    if (!own && (!home || home[0] != '/'))
        return mt_fail(err, MT_ENOTFOUND,
                       "no cache folder: HOME is not set to a folder");
    snprintf(name, sizeof name, "%s-%s-%d", machine->processor, machine->blas,
             machine->threads);
    make_name(name);
    const int length = snprintf(path, PATH_MAX, "%s%s/motley/strassen-%s.txt",
                                own ? cache : home, own ? "" : "/.cache", name);
    return length < PATH_MAX
               ? MT_OK
               : mt_fail(err, MT_ENOTFOUND, "the path of the cache folder is too long");
}

static double *find_number(struct mt_strassen_tuning *tuning, int i)
{
    return (double *)(void *)((char *)tuning + numbers[i].offset);
}

static bool read_number(double *number, const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (!strcmp(text, "never"))
        *number = INFINITY;
    else if (isdigit((unsigned char)text[0]) && !*end && value > 0 &&
             value <= largest_number)
        *number = (double)value;
    else
        return false;
    return true;
}

/* Whether the value is that of this machine. */
static bool is_own(const struct tuning_machine *machine, const char *name,
                   const char *value)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%d", machine->threads);
    return (!strcmp(name, "processor") && !strcmp(value, machine->processor)) ||
           (!strcmp(name, "blas") && !strcmp(value, machine->blas)) ||
           (!strcmp(name, "threads") && !strcmp(value, threads));
}

static bool read_line(struct mt_strassen_tuning *tuning, char *line,
                      const struct tuning_machine *machine)
{
    char *value = strstr(line, ": ");
    if (!value)
        return false;
    *value = '\0';
    value += 2;
    value[strcspn(value, "\n")] = '\0';
    for (int i = 0; i < NUMBERS; i++)
        if (!strcmp(line, numbers[i].name))
            return read_number(find_number(tuning, i), value);
    return is_own(machine, line, value);
}

static int read_lines(struct mt_strassen_tuning *tuning, FILE *file, const char *path,
                      const struct tuning_machine *machine, struct mt_error *err)
{
    char line[256];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (!strncmp(line, "kernel: ", strlen("kernel: ")))
            return mt_fail(err, MT_EPARSE,
                           "%s:%d: found by an older motley, with products of its own: "
                           "run 'motley tune' again",
                           path, number);
        if (line[0] != '#' && !read_line(tuning, line, machine))
            return mt_fail(err, MT_EPARSE,
                           "%s:%d: broken, or of another kind of machine", path,
                           number);
    }
    for (int i = 0; i < NUMBERS; i++)
        if (*find_number(tuning, i) <= 0)
            return mt_fail(err, MT_EPARSE, "%s: '%s' is missing", path,
                           numbers[i].name);
    return MT_OK;
}

int tuning_file_read(struct mt_strassen_tuning *tuning, const char *path,
                     const struct tuning_machine *machine, struct mt_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_ENOTFOUND, "%s: %s", path, strerror(errno));
    struct mt_strassen_tuning read = {0};
    const int status = read_lines(&read, file, path, machine, err);
    fclose(file);
    if (status == MT_OK)
        *tuning = read;
    return status;
}

/* All folders of the path, as `mkdir -p`; errors show later. */
static void make_folders(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0777);
        *slash = '/';
    }
}

static void print_file(FILE *file, const struct mt_strassen_tuning *tuning,
                       const struct tuning_machine *machine)
{
    struct mt_strassen_tuning copy = *tuning;
    fprintf(file, "%sprocessor: %s\nblas: %s\nthreads: %d\n", heading,
            machine->processor, machine->blas, machine->threads);
    for (int i = 0; i < NUMBERS; i++) {
        const double number = round(*find_number(&copy, i));
        if (number > (double)largest_number)
            fprintf(file, "%s: never\n", numbers[i].name);
        else
            fprintf(file, "%s: %ld\n", numbers[i].name, number < 1 ? 1 : (long)number);
    }
}

int tuning_file_prepare(const char *path, struct mt_error *err)
{
    struct mt_draft draft;
    make_folders(path);
    const int status = mt_draft_open(&draft, path, err);
    if (status == MT_OK && mt_draft_close(&draft, MT_EINVAL, NULL) == MT_EINVAL)
        return MT_OK; /* only a test: nothing is written */
    return status;
}

int tuning_file_write(const struct mt_strassen_tuning *tuning, const char *path,
                      const struct tuning_machine *machine, struct mt_error *err)
{
    struct mt_draft draft;
    const int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    print_file(draft.stream, tuning, machine);
    return mt_draft_close(&draft, MT_OK, err);
}

/*
 * The size above which a level pays on nearly every machine with one thread. With more
 * threads, products are faster but sums, limited by memory bandwidth, are not.
 */
static const double guess_per_thread = 2500;

/* The cut-offs for all shapes if squares cross at `size`. */
static struct mt_strassen_tuning from_square(double size)
{
    const struct mt_strassen_cutoff third = {size / 3, size / 3, size / 3};
    return (struct mt_strassen_tuning){.overwrite = third, .accumulate = third};
}

struct mt_strassen_tuning tuning_guess(int threads)
{
    return from_square(guess_per_thread * threads);
}

/* Whether the variable asks for crossings. */
static bool read_variable(struct mt_strassen_tuning *tuning)
{
    const char *text = getenv(TUNING_VARIABLE);
    if (!text)
        return false;
    char *end;
    const long size = strtol(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || size < 1) {
        fprintf(stderr,
                "motley-strassen: " TUNING_VARIABLE
                "=%s: not a whole number above 0; it is ignored\n",
                text);
        return false;
    }
    *tuning = from_square((double)size);
    return true;
}

/* Whether the variable asks to cut only products of finite matrices. */
static bool read_finite(void)
{
    const char *text = getenv(TUNING_FINITE_VARIABLE);
    if (text && strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        fprintf(stderr,
                "motley-strassen: " TUNING_FINITE_VARIABLE
                "=%s: neither yes nor no; it is ignored\n",
                text);
    return text && strcmp(text, "yes") == 0;
}

static enum tuning_source choose_cutoffs(struct mt_strassen_tuning *tuning,
                                         const struct tuning_machine *machine,
                                         struct mt_error *err)
{
    char path[PATH_MAX];
    if (read_variable(tuning))
        return TUNING_FORCED;
    if (tuning_file_path(path, machine, err) == MT_OK &&
        tuning_file_read(tuning, path, machine, err) == MT_OK)
        return TUNING_MEASURED;
    *tuning = tuning_guess(machine->threads);
    return TUNING_GUESSED;
}

enum tuning_source tuning_choose(struct mt_strassen_tuning *tuning,
                                 const struct tuning_machine *machine,
                                 struct mt_error *err)
{
    const enum tuning_source source = choose_cutoffs(tuning, machine, err);
    tuning->finite = read_finite();
    tuning->threads = machine->threads;
    return source;
}

/* The tuning cached for a number of threads. */
struct known {
    int threads;
    struct mt_strassen_tuning tuning;
    struct known *next;
};
static struct known *_Atomic all_known; /* grows at the front; never shrinks */

static const struct mt_strassen_tuning *find_known(int threads)
{
    const struct known *known = all_known;
    while (known && known->threads != threads)
        known = known->next;
    return known ? &known->tuning : NULL;
}

static const struct mt_strassen_tuning *learn(int threads)
{
    static const struct mt_strassen_tuning without_memory = {
        .overwrite = {INFINITY, INFINITY, INFINITY},
        .accumulate = {INFINITY, INFINITY, INFINITY}};
    struct tuning_machine machine;
    struct known *known = calloc(1, sizeof *known);
    if (!known)
        return &without_memory;
    tuning_machine_find(&machine);
    machine.threads = known->threads = threads;
    tuning_choose(&known->tuning, &machine, NULL);
    known->next = all_known;
    all_known = known;
    return &known->tuning;
}

const struct mt_strassen_tuning *mt_strassen_tuned(void)
{
    static pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;
    const int threads = tuning_machine_threads();
    const struct mt_strassen_tuning *tuning = find_known(threads);
    if (tuning)
        return tuning;
    pthread_mutex_lock(&learning);
    tuning = find_known(threads);
    if (!tuning)
        tuning = learn(threads);
    pthread_mutex_unlock(&learning);
    return tuning;
}
