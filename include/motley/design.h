/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * design.h - which runs to make when runs are dear: always the one that tells most
 * about the plan for what it costs. Pure arithmetic: whoever asks makes the runs.
 *
 *     mt_design_make(&design, &of, err)
 *     mt_design_recall(design, runs, count, err)           what was run before
 *     mt_design_run(design, &experimenter, &end, err)      propose, run, observe, ...
 *     mt_design_plan(design), mt_design_state(design, &state, err)
 *     mt_design_forecast(&forecast, design, err)           what is to come
 *
 * First comes the base: for each group and layout of its nodes the fewest
 * nodes and the most, at four sizes each, from the cheapest run on, so that what the
 * dear ones cost is known when it is their turn. Where that is more than a share of the
 * runs that there may be, it has fewer sizes, and of each group only the fewest
 * processes per node, the most, and one between, of those layouts that use all cores.
 * Layouts whose threads leave cores over are no part of it. The largest size is such
 * that the base takes 5 % of the time of all candidates, or the limit if that is less;
 * multiples of 64, which invite cache conflicts, give way to a neighbour.
 *
 * Where a cluster has several groups, probes follow, up to a third of the runs: of what
 * would be planned, of one group or several, for the largest of the planned sizes, the
 * middle one, and those between, in rounds of three; each of them, as verify.h has it,
 * of what promises the most. They are made at the largest size up to the planned one
 * that their share of the time allows; if no limit is given, they may take as much as
 * the base, and if only runs are limited, each half of what is left of twice that. A
 * third of the runs and 40 % of the time are kept for them. Further runs, and those of
 * the base if the limits do not allow for all of it, are worth the variance that they
 * take from the predicted times (their logarithms) at the program's plan sizes, for the
 * numbers of processes that the plan prefers, per share of the limits that they need.
 *
 * A run that surprises is made again: one whose time is off what models fitted to the
 * others predict by more than a tenth, three times the usual residual and their
 * interval, or takes longer than one of the same configuration at a larger size. Where
 * the two differ by more than 5 %, a third one decides: the median counts. Repeats take
 * a fifth of the limits at most, and end when two more of them confirmed what had
 * surprised than did not, as then it is the models that are wrong.
 *
 * It ends when a limit is used up, when everything was run, or when the plan has
 * settled: the base is complete, every group by processes per node was seen on its most
 * nodes, and the plan has not changed for the last runs, as many as there are models to
 * be fitted and at least four, without the probes. It has changed when what it proposes
 * is now predicted to be more than 3 % slower than the best, or when a predicted time
 * differs by more than 5 %. Within limits it also goes on while an interval of what is
 * planned is wider than 15 % to either side, as long as a run promises to narrow it,
 * and runs did so of late. The plan is not looked at after each of many runs, as a fit
 * takes longer the more there are. (enum mt_end)
 */
#ifndef MT_DESIGN_H
#define MT_DESIGN_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/experiment.h"
#include "motley/plan.h"
#include "motley/program.h"

#include <stdbool.h>

MT_C_BEGIN

/* What is to be measured. */
struct mt_design_case {
    const struct mt_cluster *cluster; /* borrowed; nodes that are left out of it
                                         meanwhile are no longer proposed */
    const struct mt_program *program; /* borrowed */
    /* Runs of one group each; copied. Those of several groups, if there are any, are
       the ones that probes are chosen among, otherwise all that the cluster allows. */
    const struct mt_candidate *candidates;
    int count;
    struct mt_limits limits;
    bool no_probes; /* not even where the cluster has several groups */
    bool exact; /* a run takes the same time whenever it is made: none is made again */
};

struct mt_design;

/* Make a design. MT_EINVAL without a candidate of one group, and for limits below 0. */
MT_MUST_CHECK int mt_design_make(struct mt_design **design,
                                 const struct mt_design_case *of, struct mt_error *err);
/* NULL is allowed. */
void mt_design_free(struct mt_design *design);

/*
 * Observe runs that were made before, the oldest first, each as if it had been proposed
 * now: a design that had settled by them is settled. Those that neither are candidates
 * nor may be probes, at a candidate's or a planned size, only tell what is known
 * when the probes are chosen, and do not count. Nor do those that failed, which are
 * tried again, but for probes.
 */
MT_MUST_CHECK int mt_design_recall(struct mt_design *design,
                                   const struct mt_past_run *runs, int count,
                                   struct mt_error *err);

/* Make the runs that are proposed, plan by all of them, and say why that ended.
   MT_EINVAL for an observation that cannot be. */
MT_MUST_CHECK int mt_design_run(struct mt_design *design,
                                const struct mt_experimenter *experimenter,
                                enum mt_end *end, struct mt_error *err);

/*
 * The steps that mt_design_run() repeats, for those who cannot be called back.
 *
 * Propose the next run. Asked again without an observation in between, it answers the
 * same. Without a time observed nothing is known of speeds: the first proposal is the
 * run that is the cheapest of the base relative to the others.
 */
MT_MUST_CHECK int mt_design_next(struct mt_design *design, struct mt_proposal *next,
                                 enum mt_end *end, struct mt_error *err);
/* Let another time be the limit from the next proposal on. */
void mt_design_limit_seconds(struct mt_design *design, double seconds);
/* What came of it, or of any other candidate; of more runs of the same one the median
   counts. As soon as the plan may settle, it is reviewed, by models fitted to all that
   was observed. */
MT_MUST_CHECK int mt_design_observe(struct mt_design *design,
                                    const struct mt_proposal *proposal,
                                    const struct mt_observation *observation,
                                    struct mt_error *err);
/* What is planned: a choice for each of the program's plan sizes, or, where it gives
   none, of its measure sizes. Zeroed: nothing yet. */
struct mt_design_plan {
    const struct mt_choice *choices; /* borrowed; that of a size for which nothing can
                                        be planned uses no nodes */
    const double *sizes;             /* borrowed */
    int count;
};
/* The plan of the last review, which lives until the next. */
struct mt_design_plan mt_design_plan(const struct mt_design *design);

/* How far the design is. */
struct mt_design_state {
    int runs;      /* observed, also probes and those that failed */
    double spent;  /* on them, seconds */
    int probes;    /* of these runs */
    int base_left; /* runs of the base that are not made yet; they may be too dear */
    int classes;   /* groups by processes per node */
    int uncovered; /* of them those not seen on their largest number of nodes */
    int unchanged; /* runs, without the probes, for which the plan has not changed */
    int enough;    /* of those, so many make it settled */
    bool settled;
    double all; /* expected seconds of all candidates; NaN: unknown */
};
MT_MUST_CHECK int mt_design_state(struct mt_design *design,
                                  struct mt_design_state *state, struct mt_error *err);

/* What a design is expected to run yet, and how long that takes. */

/* The runs that are expected to come, in order, as far as can be told now: the design
   is carried on with the expected times. Zeroed is empty. */
struct mt_forecast {
    struct mt_proposal *runs; /* owned; without the probes */
    int count;
    int probes;     /* and so many probes, when the base is through, ... */
    double size;    /* ... at this size */
    double seconds; /* of all of them; NaN: nothing is known of speeds yet, ... */
    int cheap;      /* ... but is after so many runs, the cheap half of the base */
    int classes;    /* groups by processes per node */
    int uncovered;  /* of them those that these runs do not see on all their nodes */
};
MT_MUST_CHECK int mt_design_forecast(struct mt_forecast *forecast,
                                     const struct mt_design *design,
                                     struct mt_error *err);
void mt_forecast_clear(struct mt_forecast *forecast);

MT_C_END

#endif
