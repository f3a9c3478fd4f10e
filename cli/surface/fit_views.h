/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_views.h - what 'motley surface fit' prints of a fit.
 */
#ifndef MT_CLI_FIT_VIEWS_H
#define MT_CLI_FIT_VIEWS_H

#include "cli/common/command.h"
#include "cli/common/inputs.h"

#include "motley/error.h"
#include "motley/machine_fit.h"

/* A cache of this machine, as hwloc sees it. */
struct mt_machine_cache {
    int level; /* 1, 2, ...: L1, of data, L2, ... */
    double bytes;
    int cores; /* that share it */
};
enum { MT_MAX_MACHINE_CACHES = 5 };

/* Zeroed is empty. */
struct mt_fit_report {
    struct mt_inputs inputs;
    struct mt_machine_fit fit;
    char **measure; /* owned, see argv.h: the commands that make the wanted runs */
    struct mt_machine_cache caches[MT_MAX_MACHINE_CACHES]; /* the first of each level */
    int ncaches;        /* 0: simulated, or unknown */
    const char *output; /* borrowed; the file that has the machine; NULL: none */
};

MT_MUST_CHECK int mt_fit_report_print(const struct mt_fit_report *report,
                                      struct mt_error *err);
MT_MUST_CHECK int mt_fit_report_print_json(const struct mt_fit_report *report,
                                           struct mt_error *err);

#endif
