/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - the actions of 'motley strassen', their options, and the programs that
 * they start.
 */
#ifndef MT_CLI_STRASSEN_H
#define MT_CLI_STRASSEN_H

#include "cli/common/command.h"
#include "cli/measure/campaign.h"
#include "lib/base/options.h"
#include "lib/partition/question.h"
#include "lib/partition/speeds.h"
#include "motley/partition.h"
#include "motley/program.h"

/* Each is in the file of its name (report in plan.c), and in the table of strassen.c.
 */
extern const struct mt_action mt_strassen_measure, mt_strassen_plan, mt_strassen_report,
    mt_strassen_run;

enum { MT_STRASSEN_LARGEST = (1 << 24) - 1 }; /* the app takes no larger sizes */

/* NULL, 0: not given. */
struct mt_strassen_options {
    const char *sizes; /* measure */
    struct mt_number_option repeat;
    int quiet;
    const char *size, *partition, *configuration; /* plan, report, run */
    struct mt_number_option most;
    const char *write; /* plan */
    const char *plot;  /* plan */
    int as_in_paper;
    const char *output; /* report */
    int force;
    const char *partition_file; /* run */
    int no_check;
    const char *timeout; /* measure, run */
    struct mt_number_option seed;
};
extern struct mt_strassen_options mt_strassen_options;

/*
 * The question of plan and run about the cluster of that name, with its calibration.
 * `question` must be empty; the caller clears it, also after a failure.
 */
MT_MUST_CHECK int mt_strassen_question_read(struct mt_strassen_question *question,
                                            const char *cluster, struct mt_error *err);
/* Whether --cut names a kind of partition; otherwise the best is wanted. */
MT_MUST_CHECK int mt_strassen_kind_read(enum mt_partition_kind *kind, bool *given,
                                        struct mt_error *err);

/* A campaign on the cluster, without a program, in the store of --db; the caller closes
   that, also after a failure. */
MT_MUST_CHECK int mt_strassen_campaign_open(struct mt_campaign *campaign,
                                            struct mt_cluster *cluster,
                                            struct mt_error *err);

/* The app 'strassen' as programs that launchers can start and the store knows. */

/* A probe's program, as in the store. `program` must be empty. */
void mt_strassen_probe_program(struct mt_program *program,
                               enum mt_strassen_probe probe);

/* The size of a product in the store: n of an n x n x n product with as many
   operations. */
double mt_strassen_size(const struct mt_partition_product *product);
/* "12000", or "12000x6000x3000". */
enum { MT_STRASSEN_SIZE_TEXT = 48 };
const char *mt_strassen_size_text(char text[MT_STRASSEN_SIZE_TEXT],
                                  const struct mt_partition_product *product);

/*
 * The product, partitioned by the file at `path`; `name` is its name in the store. With
 * `check` the result is checked; on a simulated cluster only if it is small enough to
 * be computed. `program` must be empty.
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
