/* SPDX-License-Identifier: BSD-3-Clause */
#include "programs.h"

#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/input/template.h"
#include "lib/partition/internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_probe_words(char ***words, enum mt_strassen_probe probe,
                           struct mt_error *err)
{
    int status = mt_argv_add(words, err, "strassen");
    if (status != MT_OK)
        return status;
    switch (probe) {
    case MT_PROBE_PRODUCT:
        status = mt_argv_add_all(words, err, "--product", "--levels", "0", NULL);
        break;
    case MT_PROBE_STRASSEN:
        status = mt_argv_add_all(words, err, "--product", "--levels", "1", NULL);
        break;
    case MT_PROBE_TRANSFER:
        status = mt_argv_add(words, err, "--transfer");
        break;
    case MT_PROBE_EXCHANGE:
        status = mt_argv_add(words, err, "--exchange");
        break;
    case MT_PROBE_OVERLAP:
        status = mt_argv_add_all(words, err, "--overlap", "--repeat", "5", NULL);
        break;
    }
    return status == MT_OK ? mt_argv_add_all(words, err, "--size", "{N}", NULL)
                           : status;
}

/* What all of them have, and how their time is read. */
static int begin_program(struct mt_program *program, const char *name,
                         struct mt_error *err)
{
    program->name = strdup(name);
    program->time_match = strdup("^time ([0-9.eE+-]+) s");
    program->repeat = 1;
    program->timeout = 3600;
    if (!program->name || !program->time_match)
        return mt_fail(err, MT_ENOMEM, "no memory for a program");
    return MT_OK;
}

int mt_strassen_probe_program(struct mt_program *program, enum mt_strassen_probe probe,
                              struct mt_error *err)
{
    int status = begin_program(program, mt_strassen_probe_name(probe), err);
    if (status == MT_OK)
        status = add_probe_words(&program->command, probe, err);
    if (status == MT_OK)
        status = add_probe_words(&program->simulated, probe, err);
    if (status == MT_OK)
        status = mt_argv_add(&program->simulated, err, "--model-only");
    if (status != MT_OK)
        mt_program_clear(program);
    return status;
}

double mt_strassen_size(const struct mt_partition_product *product)
{
    const double m = product->m, n = product->n, k = product->k;
    return m == n && n == k ? n : cbrt(m * n * k);
}

const char *mt_strassen_size_text(char text[MT_STRASSEN_SIZE_TEXT],
                                  const struct mt_partition_product *product)
{
    if (product->m == product->n && product->n == product->k)
        snprintf(text, MT_STRASSEN_SIZE_TEXT, "%d", product->n);
    else
        snprintf(text, MT_STRASSEN_SIZE_TEXT, "%dx%dx%d", product->m, product->n,
                 product->k);
    return text;
}

/* Up to here a simulated product is computed in about a second. */
static bool is_computed(const struct mt_partition_product *product)
{
    return mt_strassen_size(product) <= 1000;
}

static int add_partition_words(char ***words, const char *path,
                               const struct mt_partition_product *product,
                               struct mt_error *err)
{
    char size[MT_STRASSEN_SIZE_TEXT];
    int status = mt_argv_add_all(words, err, "strassen", "--cut", NULL);
    if (status == MT_OK)
        status = mt_template_add(words, path, err);
    return status == MT_OK ? mt_argv_add_all(words, err, "--size",
                                             mt_strassen_size_text(size, product), NULL)
                           : status;
}

int mt_strassen_partition_program(struct mt_program *program, const char *name,
                                  const char *path,
                                  const struct mt_partition_product *product,
                                  bool check, struct mt_error *err)
{
    const bool computes = is_computed(product);
    int status = begin_program(program, name, err);
    if (status == MT_OK)
        status = add_partition_words(&program->command, path, product, err);
    if (status == MT_OK)
        status = add_partition_words(&program->simulated, path, product, err);
    if (status == MT_OK && check)
        status = mt_argv_add(&program->command, err, "--check");
    if (status == MT_OK && check && computes)
        status = mt_argv_add(&program->simulated, err, "--check");
    if (status == MT_OK && !computes)
        status = mt_argv_add(&program->simulated, err, "--model-only");
    if (status != MT_OK)
        mt_program_clear(program);
    return status;
}

int mt_strassen_write_partition(const struct mt_partition *partition, const char *path,
                                struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    mt_partition_write(partition, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}

int mt_strassen_read_partition(struct mt_partition *partition, const char *path,
                               struct mt_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    const int status = mt_partition_read(partition, file, path, err);
    fclose(file);
    return status;
}
