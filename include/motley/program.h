/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - a program to be measured: its command, how to read its time, and its
 * work, from a YAML file; see motley-program(5).
 */
#ifndef MT_PROGRAM_H
#define MT_PROGRAM_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/expr.h"

#include <stdbool.h>

MT_C_BEGIN

/*
 * How the work, data and messages of a program or algorithm depend on the size N and
 * the number of processes P, whatever the machine; part of machine files and, as
 * `surface`, of program files.
 */

/* Expressions of N and P; all owned. Empty if zeroed. */
struct mt_shape {
    struct mt_expr *work;        /* W: operations of a run, of N alone */
    struct mt_expr *memory;      /* bytes that a process needs; NULL: unknown */
    struct mt_expr *valid;       /* which (N, P) may run; NULL: all */
    struct mt_expr *steps;       /* that a process computes; NULL: work / P */
    struct mt_expr *near_steps;  /* those of them that caches do not affect; NULL:
                                    none */
    struct mt_expr *working_set; /* bytes that a process goes through again and again;
                                    NULL: caches have no effect */
    struct mt_expr *imbalance;  /* the busiest process's steps over the mean; NULL: 1 */
    struct mt_expr *messages;   /* m, that a process handles one after the other; NULL:
                                   none */
    struct mt_expr *bytes;      /* L, of a message, of the longest if they differ; NULL
                                   with `messages` */
    struct mt_expr *mean_bytes; /* of the messages under way together; NULL: all are
                                   as long */
    struct mt_expr *together;   /* messages under way together; of P alone; NULL: P */
    struct mt_expr *shift;      /* ranks from a sender to its receiver, which sends next
                                   if not all send at once; of P alone; NULL: unknown */
    struct mt_expr *across;     /* 1: the processes are a square grid, and results go
                                   from column to column; of P alone; NULL: 0 */
};

/* Units of time that programs print, with their names and seconds. */
#define MT_TIME_UNIT_LIST(X) \
    X(MT_UNIT_S, "s", 1) \
    X(MT_UNIT_MS, "ms", 1e-3) \
    X(MT_UNIT_US, "us", 1e-6) \
    X(MT_UNIT_NS, "ns", 1e-9) \
    X(MT_UNIT_MIN, "min", 60) \
    X(MT_UNIT_H, "h", 3600)

enum mt_time_unit {
#define X(unit, name, seconds) unit,
    MT_TIME_UNIT_LIST(X)
#undef X
        MT_TIME_UNITS /* how many */
};

/* A file that is written into the folder of each run. All members are owned. */
struct mt_input_file {
    char *file;    /* its path in that folder */
    char *source;  /* the path of its text, as the program file has it; NULL: the text
                      stands in the program file */
    char *content; /* the text, which may have placeholders */
};

/* Empty if zeroed; mt_program_clear() makes it empty again. All members are owned. */
struct mt_program {
    char *name;
    char *path;       /* of the file, for messages */
    char **command;   /* NULL-terminated; may have placeholders */
    char **simulated; /* the command on a simulated cluster; NULL: none */
    char *time_match; /* regular expression (POSIX extended) whose first group is the
                         time; NULL: there is `rate_match`, or the wall time is taken */
    enum mt_time_unit time_unit; /* of that time */
    char *rate_match;            /* likewise, whose first group is a rate; or NULL */
    char *rate_unit;             /* of that rate, as "GFLOPS" */
    struct mt_expr *rate_work;   /* what the rate counts, of N and P; NULL: `work` */
    char *result_file; /* the file with that line, a path in the run's folder; NULL: the
                          program prints it */
    double *measure_sizes; /* ascending */
    int nmeasure_sizes;
    double *plan_sizes; /* ascending */
    int nplan_sizes;
    struct mt_expr *work;   /* operations of a run, of N and P; NULL: unknown */
    struct mt_expr *memory; /* bytes that a process needs, of N, P, M; NULL: unknown */
    struct mt_expr *valid;  /* which (N, P) may run; NULL: all */
    struct mt_expr
        *split; /* P for which it holds get models of their own; NULL: none */
    struct mt_shape shape;      /* copies of work, memory and valid, and the keys of
                                   `surface`, where each node has one process */
    struct mt_terms *terms_nt;  /* terms of N; NULL: the default */
    struct mt_terms *terms_pt;  /* terms of P and T; NULL: likewise */
    struct mt_terms *terms_npt; /* terms of N and P; NULL: likewise */
    int *threads; /* that a process may have, ascending; NULL: it is not told */
    int nthreads;
    int *gpus; /* likewise; NULL: GPUs are not asked for */
    int ngpus;
    enum mt_bind *binds; /* how processes may be bound, ascending; NULL: as the launcher
                            does it */
    int nbinds;
    struct mt_input_file *inputs;
    int ninputs;
    bool weights;  /* it takes weights of its ranks by a placeholder */
    char *workdir; /* where it runs, with placeholders; NULL: if it has inputs, prepare
                      or cleanup, in a new folder for each run, else in the current one
                    */
    char **env;    /* "NAME=value" of its ranks, NULL at the end, with placeholders;
                      NULL: none */
    char ***prepare; /* commands that run before each run, in its folder; each as
                        `command` */
    int nprepare;
    char ***cleanup; /* likewise, after it */
    int ncleanup;
    int repeat;     /* runs of each measured point; at least 1, default 1 */
    double timeout; /* of a run, seconds; default 3600 */
};

/*
 * Read and check the program file at `path` into `program`, which must be empty. Errors
 * as for mt_cluster_load(): unknown or doubled keys, wrong types, terms or patterns
 * that do not parse, a pattern without a group, sizes out of order, and expressions
 * without a value at some size that the file names, for P up to 256 and M up to 8.
 * Larger P are not checked.
 */
MT_MUST_CHECK int mt_program_load(struct mt_program *program, const char *path,
                                  struct mt_error *err);
void mt_program_clear(struct mt_program *program);
/* Operations of a run on `ranks` processes; 0 when the program does not say. */
double mt_program_work(const struct mt_program *program, double size, int ranks);

MT_C_END

#endif
