/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the findings of libmotley-balance in a run, see motley-balance(7): read
 * from its lines, and kept as one JSON object, {"program": {...}, "sites": [...]}, with
 * the members of the lines.
 */
#ifndef MT_CLI_LATENESS_REPORT_H
#define MT_CLI_LATENESS_REPORT_H

#include "lib/store/internal.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/store.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The lateness of one rank. Times in seconds. */
struct mt_report_rank {
    int rank;
    const char *node;               /* borrowed from the object, as all texts are */
    double calls, seconds, waiting; /* of its own */
    double seen, late;              /* calls */
    double late_mean, late_most;    /* mean lateness */
    double cost;                    /* of the others */
    const json_t *intervals; /* waiting in each interval of the run; NULL: none */
};

/* A place in the program that calls the MPI. */
struct mt_report_site {
    const char *call;
    const char *line; /* NULL: not known */
    const char *function, *object, *address;
    double calls, seconds, waiting;
    struct mt_report_rank worst; /* node NULL: no late rank is known */
};

/* Empty if zeroed. */
struct mt_report {
    json_t *object; /* owned */
    int size, nodes;
    bool simulated;
    double rank_seconds, seconds, waiting; /* of all ranks together */
    const char *verdict;                   /* a word of motley-balance(7) */
    double interval;                       /* see the ranks; 0: not known */
    const json_t *findings;                /* a list of texts */
    struct mt_report_rank *ranks;          /* owned; [nranks], by rank */
    int nranks;
    struct mt_report_site *sites; /* owned; [nsites], the most waiting first */
    int nsites;
};

/*
 * Read the last report on a whole program out of lines that end in the file's name
 * `path`. Other lines are skipped. MT_ENOTFOUND: no report; MT_EPARSE: a line is not
 * valid JSON, or not one of the library's; MT_EINVAL: more than 64 MiB. `report` must
 * be empty, and stays so on failure.
 */
MT_MUST_CHECK int mt_report_read(struct mt_report *report, const char *path,
                                 struct mt_error *err);
/* The same of the text of an object, as the store keeps it. */
MT_MUST_CHECK int mt_report_parse(struct mt_report *report, const char *text,
                                  struct mt_error *err);
void mt_report_clear(struct mt_report *report);

/* In view.c: */

/* Print a report: the findings, then ranks and places; or one JSON object. `lateness`:
   its run, or NULL if unknown. */
void mt_report_print(const struct mt_lateness *lateness,
                     const struct mt_report *report);
MT_MUST_CHECK int mt_report_print_json(const struct mt_lateness *lateness,
                                       const struct mt_report *report,
                                       struct mt_error *err);
/* List the reports, a line each; or one JSON object. */
MT_MUST_CHECK int mt_reports_print(const struct mt_lateness_list *list, bool json,
                                   struct mt_error *err);

/* Draw the ranks over the time of the run, coloured by the share of time that they
   waited, into `target`, as mt_plot_draw(); `lateness` as above. MT_ENOTFOUND: the
   report lacks this. */
MT_MUST_CHECK int mt_report_draw(const struct mt_lateness *lateness,
                                 const struct mt_report *report, const char *target,
                                 struct mt_error *err);

/* The place where runs write their reports, one after the other. Zeroed: none. */
struct mt_report_place {
    char *folder, *file; /* owned */
    bool refused;        /* making it has failed */
};

/* Make a folder below the current one, removed with the session, unless it exists. A
   failure is reported on stderr, once. */
void mt_report_place_make(struct mt_report_place *place);
void mt_report_place_clear(struct mt_report_place *place);

/* Move the run's report to the store. MT_ENOTFOUND: it has written none; only for the
   first run that succeeded. */
MT_MUST_CHECK int mt_report_keep(const struct mt_report_place *place,
                                 struct mt_store *store, const struct mt_run *run,
                                 struct mt_error *err);

/* A node, and by what share its ranks take longer between their calls. */
struct mt_slow_node {
    const char *host, *group; /* of the cluster */
    double extra;
};

/* The slowest node relative to the others of its group, assuming equal work. False:
   none is slower by a tenth, or the ranks shared cores, which hides it. */
bool mt_slow_node_find(struct mt_slow_node *slow, const struct mt_report *report,
                       const struct mt_cluster *cluster);

/* Print a line if the newest report on the program says that a node of the cluster is
   slow; `hint`, the remedy, ends the line. A store that cannot be read is not an
   error. */
void mt_slow_node_print(const struct mt_cluster *cluster, const char *program,
                        const char *store_path, const char *hint, FILE *stream);

#endif
