/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - what the options of 'motley strassen' ask for.
 */
#ifndef MT_CLI_STRASSEN_OPTIONS_H
#define MT_CLI_STRASSEN_OPTIONS_H

#include "cli/measure/campaign.h"
#include "lib/base/options.h"
#include "lib/partition/question.h"

enum { MT_STRASSEN_LARGEST = (1 << 24) - 1 }; /* the app takes no larger sizes */

/* NULL, 0: not given. */
struct mt_strassen_options {
    const char *sizes; /* measure */
    struct mt_number_option repeat;
    int dry_run, quiet;
    const char *size, *partition, *configuration; /* plan, report, run */
    struct mt_number_option most;
    const char *write; /* plan */
    const char *plot;  /* plan, run */
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
 * What plan and run are asked about the cluster of that name, with what is known of it.
 * `question` must be empty; the caller clears it, also after a failure.
 */
MT_MUST_CHECK int mt_strassen_question_read(struct mt_strassen_question *question,
                                            const char *cluster, struct mt_error *err);
/* Whether --cut names a kind of partition; else the best is wanted. */
MT_MUST_CHECK int mt_strassen_kind_read(enum mt_partition_kind *kind, bool *given,
                                        struct mt_error *err);

/* A campaign on the cluster, without a program, in the store of --db; the caller closes
   that, also after a failure. */
MT_MUST_CHECK int mt_strassen_campaign_open(struct mt_campaign *campaign,
                                            struct mt_cluster *cluster,
                                            struct mt_error *err);

#endif
