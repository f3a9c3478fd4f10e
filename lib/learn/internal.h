/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - find the components of a machine (machine.h) from the times of runs on a
 * few nodes: how many cache steps, where and how high, the law of the bandwidth, the
 * latency, and whether messages overlap with computation.
 *
 * No network is taken to be worse than one bus for all messages. Cross-validation
 * chooses the components: the simplest of those that predict left-out runs best. Their
 * numbers are the non-linear least squares of the relative residuals; residuals beyond
 * a percent count less.
 */
#ifndef MT_LEARN_INTERNAL_H
#define MT_LEARN_INTERNAL_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/machine.h"
#include "motley/program.h"

#include <stdbool.h>

/* A run to learn from. */
struct mt_learn_run {
    double size;
    int ranks;      /* on as many nodes */
    double seconds; /* > 0 */
};

/* A parameter of the components, with its confidence interval. */
struct mt_parameter {
    char name[32]; /* "cost 1", "cache 1 hit", "latency", "bandwidth", "exponent" */
    enum {
        MT_PARAMETER_SECONDS,
        MT_PARAMETER_BYTES,
        MT_PARAMETER_BYTES_PER_SECOND,
        MT_PARAMETER_NONE
    } unit;
    double value;
    double low, high; /* 90 % interval; NaN: the runs do not say */
};
enum { MT_MAX_PARAMETERS = 2 * MT_MAX_CACHE_STEPS + MT_MAX_CACHE_STEPS + 2 + 6 };

/* A form of the model that was tried. */
struct mt_learn_trial {
    int ncaches;
    enum mt_contention contention;
    bool latency, hop, half, lengths, overlap; /* effective lengths by measured times */
    bool evens_out; /* the mean of uneven messages counts, not the longest */
    double
        error; /* mean of |predicted / measured - 1| in cross-validation, or of the fit
                  if that is too bad already; NaN: the runs do not determine it */
    bool chosen;
};

/* A run that would narrow the intervals of the components. */
struct mt_wanted_run {
    double size;
    int ranks;
    char why[96];
};
enum { MT_MAX_WANTED_RUNS = 24, MT_MAX_WARNINGS = 10 };

/* Prior knowledge of the machine. Zeroed: none. */
struct mt_learn_nodes {
    int most_ranks; /* the most nodes of proposed runs; 0: no limit */
    struct mt_wiring wiring;
    double caches[MT_MAX_CACHE_STEPS]; /* bytes, ascending: steps are sought there
                                          first, elsewhere only if that fits better */
    int ncaches;
    const struct mt_link_point *points; /* borrowed; times of messages between two
                                           nodes, by their length; NULL: not known */
    int npoints;
    bool disturbed; /* other work slows some runs down, so the true times are below most
                       measured ones */
};

/* The result of learning. Empty if zeroed; mt_learned_clear() makes it empty again. */
struct mt_learned {
    struct mt_components components; /* to six digits */
    struct mt_learned_from from;
    double residual; /* root mean square of predicted / measured - 1 of all runs */
    struct mt_parameter parameters[MT_MAX_PARAMETERS];
    int nparameters;
    struct mt_learn_trial *trials; /* owned; the best first */
    int ntrials;
    struct mt_wanted_run wanted[MT_MAX_WANTED_RUNS];
    int nwanted;
    char warnings[MT_MAX_WARNINGS][160]; /* for people: what the runs leave open, and
                                            the assumptions instead */
    int nwarnings;
};

/*
 * Learn the components of runs of a program of that shape. Runs at which the shape has
 * no value or is not valid are an error; runs may be repeated. MT_ERANK: the runs do
 * not even determine one cost; the reason names what is missing. Too few sizes for a
 * cache step, or too few numbers of nodes for a bandwidth law, leave it out with a
 * warning. A fit takes less than a second for some hundred runs. `nodes` may be NULL:
 * no prior knowledge.
 */
MT_MUST_CHECK int mt_learn(struct mt_learned *learned, const struct mt_shape *shape,
                           const struct mt_learn_run *runs, int nruns,
                           const struct mt_learn_nodes *nodes, struct mt_error *err);
void mt_learned_clear(struct mt_learned *learned);

#endif
