/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune.h"

#include "cli/common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of motley-tune; NULL: of something else. */
static json_t *read_line(const char *line)
{
    json_t *object = line[0] == '{' ? json_loads(line, 0, NULL) : NULL;
    const char *host, *processor, *blas, *file, *source;
    const json_t *overwrite, *accumulate;
    int threads, kernel;
    if (json_unpack(object, "{s:s,s:s,s:s,s:s,s:s,s:i,s:b,s:o,s:o}", "host", &host,
                    "processor", &processor, "blas", &blas, "file", &file, "source",
                    &source, "threads", &threads, "kernel", &kernel, "overwrite",
                    &overwrite, "accumulate", &accumulate) == 0)
        return object;
    json_decref(object);
    return NULL;
}

int mt_tune_read(json_t **machines, FILE *output, struct mt_error *err)
{
    json_t *list = json_array();
    char *line = NULL;
    size_t size = 0;
    rewind(output);
    while (getline(&line, &size, output) > 0) {
        json_t *machine = read_line(line);
        if (machine)
            json_array_append_new(list, machine);
    }
    free(line);
    if (json_array_size(list) == 0) {
        json_decref(list);
        return mt_fail(err, MT_EIO, "motley-tune has printed nothing that is known");
    }
    *machines = list;
    return MT_OK;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const char *print_number(char text[32], double number)
{
    if (isfinite(number))
        snprintf(text, 32, "%.0f", number);
    else
        snprintf(text, 32, "never");
    return text;
}

/* Null is never. */
static void add_row(struct mt_table *table, const json_t *machine, const char *key,
                    const char *c)
{
    static const char *const names[] = {"rows", "columns", "depth"};
    const json_t *cutoff = json_object_get(machine, key);
    char threads[16], square[32], numbers[3][32];
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const json_t *value = json_object_get(cutoff, names[i]);
        const double number =
            json_is_number(value) ? json_number_value(value) : INFINITY;
        print_number(numbers[i], number);
        sum += number;
    }
    snprintf(threads, sizeof threads, "%d",
             (int)json_integer_value(json_object_get(machine, "threads")));
    mt_table_add(table, text_of(machine, "host"), text_of(machine, "processor"),
                 text_of(machine, "blas"), threads,
                 json_is_true(json_object_get(machine, "kernel")) ? "kernel" : "BLAS",
                 c, print_number(square, sum), numbers[0], numbers[1], numbers[2],
                 text_of(machine, "source"), NULL);
}

static void print_source(const json_t *machine)
{
    const char *source = text_of(machine, "source");
    if (!strcmp(source, "guessed"))
        printf("guessed, as nothing was measured: %s\n", text_of(machine, "why"));
    else if (!strcmp(source, "forced"))
        printf("forced by MOTLEY_STRASSEN_CUTOFF, whatever is kept in %s\n",
               text_of(machine, "file"));
    else
        printf("kept in %s\n", text_of(machine, "file"));
}

int mt_tune_print(const json_t *machines, struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "node", "processor", "BLAS", ">threads", "lowest", "C",
                 ">squares", ">rows", ">columns", ">depth", "known", NULL);
    for (size_t i = 0; i < json_array_size(machines); i++) {
        add_row(&table, json_array_get(machines, i), "overwrite", "= A B");
        add_row(&table, json_array_get(machines, i), "accumulate", "+= A B");
    }
    const int status = mt_table_print(&table, stdout, err);
    if (status != MT_OK)
        return status;
    putchar('\n');
    for (size_t i = 0; i < json_array_size(machines); i++)
        print_source(json_array_get(machines, i));
    return MT_OK;
}
