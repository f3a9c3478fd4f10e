/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - tables of runs: cells under the names of columns, for any kind of file, and
 * the rules that give columns their meaning. Rules come from our names, from the kind
 * of file, or from the user: "size=N,seconds=time:ms,ranks=P*Q". Each of these is one
 * of our columns or one of enum mt_target; '='; and a column of the file, a number, or
 * a product or quotient of up to four of them, with a unit behind ':'.
 */
#ifndef MT_CLI_DATA_ROWS_H
#define MT_CLI_DATA_ROWS_H

#include "columns.h"
#include "formats.h"

/* Meanings of columns other than ours, which have their numbers. */
enum mt_target {
    MT_NODES = MT_RUN_COLUMNS,
    MT_PPN, /* processes per node */
    MT_RANKS,
    MT_THREADS, /* of each process */
    MT_GPUS,    /* likewise */
    MT_RATE,    /* operations per second: seconds = work / rate */
    MT_WORK,    /* operations of the run */
    MT_GROUP,
    MT_HOSTS, /* a list of hosts */
    MT_IGNORE,
    MT_TARGETS
};

/* The quantity of a cell, which decides its units. */
enum mt_cell_kind { MT_CELL_COUNT, MT_CELL_SIZE, MT_CELL_SECONDS, MT_CELL_RATE };

/*
 * Read the whole `text` as a number, times `unit` unless it has a unit of its own:
 * "28.5 s", "1-02:03:04" (days, hours, minutes, seconds), "64x64x32" (a product),
 * "1'234.5", "1,234,567". MT_EPARSE: the reason. In cells.c, like the functions below.
 */
MT_MUST_CHECK int mt_cell_number(double *number, const char *text,
                                 enum mt_cell_kind kind, double unit,
                                 struct mt_error *err);
/* The factor of that unit; false if the name is unknown. */
bool mt_cell_unit(double *factor, enum mt_cell_kind kind, const char *name);
/* Whether the cell is empty: blanks, "-", "null", "NA" and the like. */
bool mt_cell_is_empty(const char *text);
/* The outcome by a state in our words, Slurm's or those of benchmarks, or by an exit
   status. MT_EPARSE names an unknown one. */
MT_MUST_CHECK int mt_cell_outcome(enum mt_outcome *outcome, const char *text,
                                  struct mt_error *err);

enum { MT_RULES = 32, MT_FACTORS = 4, MT_CONDITIONS = 4 };

/* A rule: where to find one target of a run. */
struct mt_rule {
    int target;
    char *text;                 /* owned: the text behind '=' */
    bool optional;              /* a file without such a column is not an error */
    bool is_needed, is_outcome; /* a run without it is skipped; otherwise it is the
                                   outcome */
    /* Set by mt_rules_bind(): */
    struct mt_factor {
        int place;     /* of the column in the file; -1: a number */
        double number; /* that it is */
        bool divides;
    } factors[MT_FACTORS];
    int nfactors; /* 0: the column does not exist */
    enum mt_cell_kind kind;
    double unit;
};

/* The state of reading a table. All owned, except source and runs. */
struct mt_rows {
    struct mt_source *source;
    struct mt_runs *runs;
    char **names; /* of the columns */
    int count;
    struct mt_rule rules[MT_RULES];
    int nrules;
    struct {
        int place;
        char *value;
    } where[MT_CONDITIONS]; /* a row must give it */
    int nwhere;
    int rows, chosen; /* rows read, and rows selected by --where */
    int skipped;      /* because of an empty cell */
    char *lacking;    /* of the first skipped one: the place, and the column */
};

/* Add the user's rules. MT_EINVAL: the reason. In rules.c, like the functions below. */
MT_MUST_CHECK int mt_rules_parse(struct mt_rows *rows, const char *text,
                                 struct mt_error *err);
/* Add an optional rule, unless `target` has one already, is to be ignored, or is not
   one of our names. */
MT_MUST_CHECK int mt_rules_default(struct mt_rows *rows, const char *target,
                                   const char *text, struct mt_error *err);
/* Find the columns that the rules name; MT_EINVAL lists the existing columns if one is
   missing. */
MT_MUST_CHECK int mt_rules_bind(struct mt_rows *rows, struct mt_error *err);
/* The rule for `target`, if its columns were found; or NULL. */
const struct mt_rule *mt_rules_find(const struct mt_rows *rows, int target);
/* Whether the column is used, or ignored on purpose. */
bool mt_rules_take(const struct mt_rows *rows, int place);
/* The name of a target. */
const char *mt_target_name(int target);
/* The place of the column of that name, or of the only one that ends in '.' and that
   name; -1 if none. */
int mt_column_place(const struct mt_rows *rows, const char *name);
/* Fail with the names of the columns that there are. */
int mt_column_lacks(const struct mt_rows *rows, const char *name, struct mt_error *err);

/*
 * Begin with the names of the columns. `rules` are the defaults of this kind of file,
 * in the form of --columns; or NULL. In rows.c, like the functions below.
 */
MT_MUST_CHECK int mt_rows_begin(struct mt_rows *rows, char *const *names, int count,
                                const char *rules, struct mt_error *err);
/* The number of `target` from a row's cells; NaN if missing. */
double mt_rows_number(const struct mt_rows *rows, int target, char *const *cells);
/* Add the run of a row, with one cell per column; or skip it. */
MT_MUST_CHECK int mt_rows_add(struct mt_rows *rows, char *const *cells,
                              struct mt_error *err);
/* Report how many rows were skipped, and free everything. Returns `status`, or a
   failure if none was selected. */
MT_MUST_CHECK int mt_rows_end(struct mt_rows *rows, int status, struct mt_error *err);

#endif
