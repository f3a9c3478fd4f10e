/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * programs.h - the app 'strassen' as programs that the launchers can start and
 * the store knows: what is measured of a cluster, and products that are cut.
 */
#ifndef MT_CLI_STRASSEN_PROGRAMS_H
#define MT_CLI_STRASSEN_PROGRAMS_H

#include "lib/partition/speeds.h"

#include "motley/error.h"
#include "motley/partition.h"
#include "motley/program.h"

#include <stdbool.h>

/* What is measured, as in the store. `program` must be empty. */
void mt_strassen_probe_program(struct mt_program *program,
                               enum mt_strassen_probe probe);

/* The size under which a product is kept: n of an n x n x n product with as many
   operations. */
double mt_strassen_size(const struct mt_partition_product *product);
/* "12000", or "12000x6000x3000". */
enum { MT_STRASSEN_SIZE_TEXT = 48 };
const char *mt_strassen_size_text(char text[MT_STRASSEN_SIZE_TEXT],
                                  const struct mt_partition_product *product);

/*
 * The product, cut as the file at `path` says; `name` is its name in the store. With
 * `check` the result is checked; on a simulated cluster only where it is small enough
 * to be computed at all. `program` must be empty.
 */
MT_MUST_CHECK int mt_strassen_partition_program(
    struct mt_program *program, const char *name, const char *path,
    const struct mt_partition_product *product, bool check, struct mt_error *err);

/* Partitions in files, see motley-cut(5); `partition` must be empty. */
MT_MUST_CHECK int mt_strassen_write_partition(const struct mt_partition *partition,
                                              const char *path, struct mt_error *err);
MT_MUST_CHECK int mt_strassen_read_partition(struct mt_partition *partition,
                                             const char *path, struct mt_error *err);

#endif
