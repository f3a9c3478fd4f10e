/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include "lib/base/argv.h"
#include "write.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes beyond it are not exact. */
static const double largest_size = 9007199254740992.0; /* 2^53 */

/* The argument that is the size: which, where its digits begin, and its value. */
struct size {
    int argument; /* 0: none is */
    int begin;
    double value;
};

/* The whole number that a word is, or ends with behind '=', as --size=100. */
static bool read_size(struct size *size, const char *word)
{
    const char *equals = strrchr(word, '='), *digits = equals ? equals + 1 : word;
    const size_t length = strlen(digits);
    if (length == 0 || length > 16 || strspn(digits, "0123456789") != length ||
        digits[0] == '0')
        return false;
    size->begin = (int)(digits - word);
    size->value = strtod(digits, NULL);
    return size->value > 1 && size->value <= largest_size;
}

static struct size find_size(char *const *argv)
{
    struct size largest = {0}, size = {0};
    for (int i = 1; argv[i]; i++)
        if (read_size(&size, argv[i]) && size.value > largest.value) {
            largest = size;
            largest.argument = i;
        }
    return largest;
}

/* As YAML has it in single quotes. */
static void write_quoted(FILE *file, const char *word, const struct size *size, int i)
{
    fputc('\'', file);
    for (int at = 0; word[at]; at++) {
        if (size->argument == i && i > 0 && at == size->begin)
            break;
        fprintf(file, word[at] == '\'' ? "''" : "%c", word[at]);
    }
    fputs(size->argument == i && i > 0 ? "{N}'" : "'", file);
}

/* From a quarter of the size on up to it, five where they differ. */
static int choose_sizes(double sizes[5], double value)
{
    static const double shares[5] = {0.25, 0.35, 0.5, 0.7, 1};
    int count = 0;
    for (int i = 0; i < 5; i++) {
        const double size = (double)(long long)(shares[i] * value + 0.5);
        if (size >= 1 && (count == 0 || size > sizes[count - 1]))
            sizes[count++] = size;
    }
    return count;
}

static void write_sizes(FILE *file, const struct size *size)
{
    double sizes[5] = {0};
    const int count = choose_sizes(sizes, size->value);
    if (size->argument == 0) {
        fputs("# It has no number that could be its size, and is measured as it is. "
              "Where\n"
              "# it takes one, write {N} there, and give five sizes or more. Of a file "
              "that\n"
              "# it reads, write {N} into a copy:\n"
              "# input: [{file: NAME, template: COPY}]\n"
              "sizes: {measure: [1]}\n",
              file);
        return;
    }
    fputs("# Those that are measured; plan for what you want to run.\n"
          "sizes:\n  measure: [",
          file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%.0f", i > 0 ? ", " : "", sizes[i]);
    fputs("]\n", file);
    if (2 * size->value <= largest_size)
        fprintf(file, "  plan: [%.0f]\n", 2 * size->value);
}

static void write_file(FILE *file, const char *name, char *const *argv,
                       const struct size *size)
{
    const struct size none = {0};
    fputs("# A program file, see motley-program(5); written by 'motley init'.\nname: ",
          file);
    write_quoted(file, name, &none, 0);
    fputs("\ncommand: [", file);
    for (int i = 0; argv[i]; i++) {
        fputs(i > 0 ? ", " : "", file);
        write_quoted(file, argv[i], size, i);
    }
    fputs("]\n# From its start to its end. Better is what it prints of itself:\n"
          "# time: {match: 'time ([0-9.eE+-]+) s'}\n"
          "time: wall\n",
          file);
    write_sizes(file, size);
    fputs("timeout: 10 min\n", file);
}

/* A line end, or what drives terminals, has no place in a file for people. */
static int check_words(char *const *argv, struct mt_error *err)
{
    for (int i = 0; argv[i]; i++)
        for (const char *at = argv[i]; *at; at++)
            if ((unsigned char)*at < ' ' || *at == 0x7F)
                return mt_fail(err, MT_EINVAL,
                               "argument %d has control characters: write the program "
                               "file by hand",
                               i);
    return MT_OK;
}

int mt_init_write_command(const char *path, char *const *argv, struct mt_error *err)
{
    const char *slash = strrchr(argv[0], '/');
    const struct size size = find_size(argv);
    FILE *file = NULL;
    int status = check_words(argv, err);
    if (status == MT_OK)
        status = mt_init_create(&file, path, err);
    if (status != MT_OK)
        return status;
    write_file(file, slash ? slash + 1 : argv[0], argv, &size);
    status = mt_init_finish_program(file, path, err);
    if (status == MT_OK && size.argument > 0)
        printf("%s: N stands for '%s', and is measured up to that\n", path,
               argv[size.argument]);
    else if (status == MT_OK)
        printf("%s: no argument is a number: put in where the size comes from\n", path);
    return status;
}
