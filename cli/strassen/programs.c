/* SPDX-License-Identifier: BSD-3-Clause */
/* The app 'strassen' as programs, and partitions in files. */
#include "programs.h"

#include "cli/process/memory.h"
#include "lib/base/draft.h"
#include "lib/input/template.h"
#include "lib/partition/internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_probe_words(char ***words, enum mt_strassen_probe probe)
{
    mt_words_add(words, "strassen");
    switch (probe) {
    case MT_PROBE_PRODUCT:
        mt_words_add_all(words, "--product", "--levels", "0", NULL);
        break;
    case MT_PROBE_STRASSEN:
        mt_words_add_all(words, "--product", "--levels", "1", NULL);
        break;
    case MT_PROBE_TRANSFER:
        mt_words_add(words, "--transfer");
        break;
    case MT_PROBE_EXCHANGE:
        mt_words_add(words, "--exchange");
        break;
    case MT_PROBE_OVERLAP:
        mt_words_add_all(words, "--overlap", "--repeat", "5", NULL);
        break;
    }
    mt_words_add_all(words, "--size", "{N}", NULL);
}

/* What all of them have, and how their time is read. */
static void begin_program(struct mt_program *program, const char *name)
{
    program->name = mt_strdup(name);
    program->time_match = mt_strdup("^time ([0-9.eE+-]+) s");
    program->repeat = 1;
    program->timeout = 3600;
}

void mt_strassen_probe_program(struct mt_program *program, enum mt_strassen_probe probe)
{
    begin_program(program, mt_strassen_probe_name(probe));
    add_probe_words(&program->command, probe);
    add_probe_words(&program->simulated, probe);
    mt_words_add(&program->simulated, "--model-only");
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
    mt_words_add_all(words, "strassen", "--cut", NULL);
    const int status = mt_template_add(words, path, err);
    mt_words_add_all(words, "--size", mt_strassen_size_text(size, product), NULL);
    return status;
}

int mt_strassen_partition_program(struct mt_program *program, const char *name,
                                  const char *path,
                                  const struct mt_partition_product *product,
                                  bool check, struct mt_error *err)
{
    const bool computes = is_computed(product);
    begin_program(program, name);
    int status = add_partition_words(&program->command, path, product, err);
    if (status == MT_OK)
        status = add_partition_words(&program->simulated, path, product, err);
    if (check)
        mt_words_add(&program->command, "--check");
    if (check && computes)
        mt_words_add(&program->simulated, "--check");
    if (!computes)
        mt_words_add(&program->simulated, "--model-only");
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
