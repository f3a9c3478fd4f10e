/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - a run-time model: seconds from problem size N and total processes P.
 *
 * A model is a sum of terms with one coefficient each. It belongs to one (group,
 * processes per node), or, for the N-T kind, to one configuration. What several of them
 * predict together is in models.h.
 */
#ifndef MT_MODEL_H
#define MT_MODEL_H

#include "motley/error.h"
#include "motley/expr.h"

#include <stdbool.h>

enum mt_model_kind {
    MT_MODEL_AUTO, /* the default: relative weights, coefficients >= 0 */
    MT_MODEL_NT,   /* one per configuration; terms of N */
    MT_MODEL_PT,   /* one per (group, M): terms of P and of a reference N-T model */
    MT_MODEL_NPT,  /* one per (group, M): terms of N and P */
    MT_NMODEL_KINDS
};

/* "auto", "n-t", "p-t", "np-t". */
const char *mt_model_kind_name(enum mt_model_kind kind);
/* The kind of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_model_kind_parse(enum mt_model_kind *kind, const char *name,
                                      struct mt_error *err);

/* A model with more terms has no value anywhere; mt_fit() refuses to make one. */
enum { MT_MAX_TERMS = 64 };

/* All members are owned. Zeroed is empty. */
struct mt_model {
    char *configuration; /* N-T: the canonical text; otherwise NULL */
    char *group;         /* its name; N-T of a mixed configuration: NULL */
    int processes;       /* per node; N-T of a mixed configuration: 0 */
    int split; /* -1: for every P; 0 or 1: for P where the program's split is false,
                  true */
    struct mt_terms *terms;
    char *terms_text;
    double *coefficients; /* one a term, seconds */
    bool *serial; /* one a term: work that the groups do in turn; NULL: none is */
    struct mt_terms *reference_terms; /* P-T: terms of N of the reference; or NULL */
    char *reference_terms_text;
    double *reference_coefficients; /* or NULL */
    int runs;                       /* that it was fitted from */
    double size_low, size_high;     /* range of N of these runs */
    int ranks_low, ranks_high;      /* range of P of these runs */
    double residual;        /* root mean square relative error over these runs */
    double cross_validated; /* the same over runs that the fit had not seen: each size
                               of the upper half predicted from the runs at smaller
                               sizes, and likewise each P; NaN: too few */
};

void mt_model_clear(struct mt_model *model);

/*
 * Seconds at (size, ranks), or NaN where the model has none: a term without a value, a
 * sum that is not positive, or serial terms that make up less than 0 or more than all
 * of it. A model that saw a single P has none at any other P.
 */
double mt_model_seconds(const struct mt_model *model, double size, int ranks);
/* The part of these seconds that is serial (models.h); NaN where mt_model_seconds() is.
 */
double mt_model_serial(const struct mt_model *model, double size, int ranks);
/* Both at once, `whole` and the part of it that is serial. */
void mt_model_parts(const struct mt_model *model, double size, int ranks, double *whole,
                    double *serial);
/* Seconds of a P-T model's reference N-T model, which may be negative where that model
   does not hold; 0 for the other kinds. */
double mt_model_reference(const struct mt_model *model, double size);
/*
 * Bounds of mt_model_seconds() over ranks_low <= P <= ranks_high at one size: no value
 * there is outside. The low bound is at least 0; both NaN: nothing is known; both
 * INFINITY: it has no value there.
 */
struct mt_range mt_model_range(const struct mt_model *model, double size, int ranks_low,
                               int ranks_high);
/* Likewise bounds of mt_model_serial(), and of the seconds without it. */
struct mt_range mt_model_serial_range(const struct mt_model *model, double size,
                                      int ranks_low, int ranks_high);
struct mt_range mt_model_parallel_range(const struct mt_model *model, double size,
                                        int ranks_low, int ranks_high);

#endif
