/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - tables of runs: cells under the names of columns, whatever kind of file they
 * stand in, and which column says what about a run.
 *
 * What a column is for is said by our names, by the kind of file, or by the user:
 * "size=N,seconds=time:ms,ranks=P*Q". Each of these is one of our columns or one of
 * enum mt_target; '='; and a column of the file, a number, or a product or quotient of
 * up to four of them, with a unit behind ':'.
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
    MT_RATE,    /* operations per second, by which the seconds are the work */
    MT_WORK,    /* operations of the run */
    MT_GROUP,
    MT_HOSTS, /* a list of hosts */
    MT_IGNORE,
    MT_TARGETS
};

/* What a cell counts; fixes the units that it may have. */
enum mt_cell_kind { MT_CELL_COUNT, MT_CELL_SIZE, MT_CELL_SECONDS, MT_CELL_RATE };

/*
 * The number in all of `text`, times `unit` unless it has a unit of its own: "28.5 s",
 * "1-02:03:04" (days, hours, minutes, seconds), "64x64x32" (a product), "1'234.5",
 * "1,234,567". MT_EPARSE says what is wrong. In cells.c, as what follows.
 */
MT_MUST_CHECK int mt_cell_number(double *number, const char *text,
                                 enum mt_cell_kind kind, double unit,
                                 struct mt_error *err);
/* The factor of that unit; false if the name is unknown. */
bool mt_cell_unit(double *factor, enum mt_cell_kind kind, const char *name);
/* Whether the cell says nothing: blanks, "-", "null", "NA" and the like. */
bool mt_cell_is_empty(const char *text);
/* What a state says of a run, in our words, Slurm's or those of benchmarks; an exit
   status, too. MT_EPARSE names an unknown one. */
MT_MUST_CHECK int mt_cell_outcome(enum mt_outcome *outcome, const char *text,
                                  struct mt_error *err);

enum { MT_RULES = 32, MT_FACTORS = 4, MT_CONDITIONS = 4 };

/* Where one thing about a run is to be found. */
struct mt_rule {
    int target;
    char *text;                 /* owned: what stands behind '=' */
    bool optional;              /* a file without such a column is not an error */
    bool is_needed, is_outcome; /* a run without it is skipped; it is the outcome */
    /* As mt_rules_bind() has found it. */
    struct mt_factor {
        int place;     /* of the column in the file; -1: a number */
        double number; /* that it is */
        bool divides;
    } factors[MT_FACTORS];
    int nfactors; /* 0: the column does not exist */
    enum mt_cell_kind kind;
    double unit;
};

/* A table that is being read. All owned, except source and runs. */
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
    } where[MT_CONDITIONS]; /* a row has to say */
    int nwhere;
    int rows, chosen; /* that were read, and those of them that --where wants */
    int skipped;      /* for want of a cell */
    char *lacking;    /* of the first that was skipped: where, and what */
};

/* Add what the user says to the rules. MT_EINVAL names what is wrong. In rules.c, as
   what follows. */
MT_MUST_CHECK int mt_rules_parse(struct mt_rows *rows, const char *text,
                                 struct mt_error *err);
/* Add an optional rule, unless there is one for `target` already, what it says is to be
   ignored, or it is not one of our names. */
MT_MUST_CHECK int mt_rules_default(struct mt_rows *rows, const char *target,
                                   const char *text, struct mt_error *err);
/* Find the columns that the rules name; one that is not there fails, and the reason
   lists those that are. */
MT_MUST_CHECK int mt_rules_bind(struct mt_rows *rows, struct mt_error *err);
/* The rule for `target`, if its columns were found; or NULL. */
const struct mt_rule *mt_rules_find(const struct mt_rows *rows, int target);
/* Whether anything is taken from the column, or it is ignored on purpose. */
bool mt_rules_take(const struct mt_rows *rows, int place);
/* The name of a target. */
const char *mt_target_name(int target);
/* The place of the column of that name, or of the only one that ends in '.' and it; -1
   if none. */
int mt_column_place(const struct mt_rows *rows, const char *name);
/* Fail with the names of the columns that there are. */
int mt_column_lacks(const struct mt_rows *rows, const char *name, struct mt_error *err);

/*
 * Begin with the names of the columns. `rules` is what they say in this kind of file,
 * as
 * --columns has it, where the user says nothing else; or NULL. In rows.c, as what
 * follows.
 */
MT_MUST_CHECK int mt_rows_begin(struct mt_rows *rows, char *const *names, int count,
                                const char *rules, struct mt_error *err);
/* The number that a row's cells give for `target`; NaN if there is none. */
double mt_rows_number(const struct mt_rows *rows, int target, char *const *cells);
/* Add the run that the cells of a row say, one a column; or skip it. */
MT_MUST_CHECK int mt_rows_add(struct mt_rows *rows, char *const *cells,
                              struct mt_error *err);
/* Say how many were skipped, and free all. Returns `status`, or that none was chosen.
 */
MT_MUST_CHECK int mt_rows_end(struct mt_rows *rows, int status, struct mt_error *err);

#endif
