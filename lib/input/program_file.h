/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_file.h - a program file as it is written, before its values are checked and
 * understood. What is not given is NULL or 0.
 */
#ifndef MT_PROGRAM_FILE_H
#define MT_PROGRAM_FILE_H

#include "yaml_file.h"

#include "motley/error.h"
#include "motley/program.h"

#include <cyaml/cyaml.h>

struct file_time {
    char *match;
};

struct file_sizes {
    double *measure;
    unsigned nmeasure;
    double *plan;
    unsigned nplan;
};

struct file_terms {
    char *nt;
    char *pt;
    char *npt;
    char *automatic;
};

struct file_surface {
    char *steps;
    char *working_set;
    char *imbalance;
    char *messages;
    char *bytes;
    char *mean_bytes;
};

struct file_program {
    char *name;
    char **command;
    unsigned ncommand;
    char **simulated;
    unsigned nsimulated;
    char *time_word;       /* time: WORD */
    struct file_time time; /* time: {match: REGEX} */
    struct file_sizes sizes;
    char *work;
    char *memory;
    char *valid;
    char *split;
    struct file_surface surface;
    struct file_terms terms;
    int repeat;
    char *timeout;
};

/* Of a pointer to struct file_program; which one depends on what `time` is. */
extern const struct cyaml_schema_value mt_program_schema_time_word;
extern const struct cyaml_schema_value mt_program_schema_time_map;

/*
 * Parse the expressions and terms of the file into `program`, and check that they use
 * only the variables that they may and have values at every size of the program, which
 * must be there already. On failure `program` holds what was done so far.
 */
MT_MUST_CHECK int mt_program_read_formulas(struct mt_program *program,
                                           const struct file_program *from,
                                           const struct mt_yaml *yaml,
                                           struct mt_error *err);

#endif
