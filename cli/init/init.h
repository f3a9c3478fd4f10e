/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init.h - the nodes that 'motley init' finds, their sources, and the files that it
 * writes as a starting point for users.
 */
#ifndef MT_INIT_INIT_H
#define MT_INIT_INIT_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* A node. Strings are owned. */
struct mt_found_node {
    char *host;
    int slots;      /* useful number of processes */
    bool guessed;   /* nothing tells them */
    int cores;      /* that processes may use; 0: unknown */
    int fast_cores; /* of a hybrid processor; 0: all are alike */
    int threads;    /* hardware threads, where there are more than cores; else 0 */
    int gpus;
    double memory;    /* bytes; 0: unknown */
    char *features;   /* words separated by commas that tell kinds of nodes apart; NULL:
                         none */
    char *gres;       /* other resources in Slurm's form: "gpu:a100:4"; NULL: none */
    char *partitions; /* the scheduler's partitions; the default one ends in '*' */
};

/* Empty if zeroed. */
struct mt_found_nodes {
    enum mt_launcher launcher;
    struct mt_found_node *nodes; /* owned */
    int count;
    void *by_host; /* owned; an index for tsearch() */
};

void mt_found_clear(struct mt_found_nodes *found);

/* In sources.c: */

/* The length of the byte order mark that a text begins with; 0: it has none. */
size_t mt_init_mark_length(const char *text);

/* `found` must be empty; on failure it holds what was found so far. */

/*
 * A hostfile of Open MPI ("host slots=4"), MPICH ("host:4") or others ("host 4", or one
 * host a line, once for each slot).
 */
MT_MUST_CHECK int mt_init_from_hostfile(struct mt_found_nodes *found, const char *path,
                                        struct mt_error *err);
/* The nodes of the surrounding job, from the file that the variable names, or from the
   variable itself: PBS_NODEFILE, LSB_MCPU_HOSTS. MT_EINVAL: it is not set. */
MT_MUST_CHECK int mt_init_from_job(struct mt_found_nodes *found, const char *variable,
                                   struct mt_error *err);
/* Slurm's nodes, as sinfo lists them; only those of these partitions, "a,b", unless it
   is NULL. MT_ENOTFOUND: sinfo is missing; MT_EIO: it does not answer. */
MT_MUST_CHECK int mt_init_from_slurm(struct mt_found_nodes *found,
                                     const char *partitions, struct mt_error *err);
/* This machine, by hwloc. */
MT_MUST_CHECK int mt_init_from_machine(struct mt_found_nodes *found,
                                       struct mt_error *err);

/* In write.c: */

/*
 * Write a cluster file with comments that explain it: nodes with the same slots, cores,
 * memory, features and gres that some partition holds together make a group. If there
 * are more than MT_MAX_GROUPS groups, the largest are written, and stderr says so;
 * stdout says how many nodes are written. `origin` is for a comment: "this machine".
 * MT_EINVAL: the file exists; it stays as it is. The file is read again as a check.
 */
MT_MUST_CHECK int mt_init_write_cluster(const struct mt_found_nodes *found,
                                        const char *path, const char *origin,
                                        struct mt_error *err);
/* Likewise a program file. */
MT_MUST_CHECK int mt_init_write_program(const char *path, struct mt_error *err);

/* The size in a word: a whole number above 1 that is exact as a double. */
bool mt_init_read_size(double *size, const char *word);

/* In input.c: */

/* A file from which a program reads its size. */
struct mt_init_input {
    const char *path; /* borrowed; of the file */
    const char *size; /* borrowed; the name of the number that is the size; NULL: ask */
    /* As mt_init_read_input() finds them: */
    char *file;     /* owned; its path in the folder of a run */
    char *template; /* owned; the path of the template that was written */
    char *name;     /* owned; of the number */
    double value;   /* of the number */
};

/* Find the size in the file, and write a template of it. Without a name, ask on a
   terminal; without a terminal MT_EINVAL, and list the numbers on stdout. The caller
   clears `input`, also after a failure. */
MT_MUST_CHECK int mt_init_read_input(struct mt_init_input *input, struct mt_error *err);
void mt_init_clear_input(struct mt_init_input *input);
/* Run the program of the file at `path` alone with two sizes, and print N and their
   times. MT_EINVAL: equal times. On failure the caller removes the file and the
   template, as the messages announce. */
MT_MUST_CHECK int mt_init_prove(const struct mt_init_input *input, const char *path,
                                struct mt_error *err);

/* Begin a file; MT_EINVAL: it exists. */
MT_MUST_CHECK int mt_init_create(FILE **file, const char *path, struct mt_error *err);
/* Close a program file and read it again; an invalid one is removed. */
MT_MUST_CHECK int mt_init_finish_program(FILE *file, const char *path,
                                         struct mt_error *err);

#endif
