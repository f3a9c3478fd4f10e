/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - the options in the variable MOTLEY_BALANCE:
 *
 *     bcast[=auto|paper|paper-2|off][,reduce][,gather][,reproducible]
 *     [,report[=FILE]][,verbose]
 *
 * Without the variable, every call is passed through.
 */
#ifndef MT_BALANCE_OPTIONS_H
#define MT_BALANCE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum bcast_mode { BCAST_OFF, BCAST_AUTO, BCAST_PAPER, BCAST_PAPER_2, BCAST_MODES };
extern const char *const bcast_mode_names[BCAST_MODES]; /* as in the variable */

struct options {
    enum bcast_mode bcast;
    bool reduce, gather;
    bool reproducible; /* sums keep the MPI's order */
    bool report;
    char report_file[4096]; /* for JSON; empty: none */
    bool verbose;
};

/* Read the variable's text; NULL or "" sets nothing. False: a word is unknown, and
   `reason` (of `size` bytes) names it and the known ones; no option is set then. */
bool options_parse(struct options *options, const char *text, char *reason,
                   size_t size);

/* The variable's options for this program: read at the first call, while the MPI runs.
   On an error rank 0 reports it, and no option is set. In settings.c. */
const struct options *settings(void);

#endif
