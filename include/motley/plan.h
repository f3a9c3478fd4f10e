/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - a plan: the best configurations of a cluster for a problem size, by runs and
 * models (mt_plan_make(), the answer of `motley plan`), or by the models alone
 * (mt_plan_search()).
 */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"
#include "motley/store.h"

#include <stdbool.h>

MT_C_BEGIN

/*
 * All that predicts the times of a program on a cluster: the runs in a store, and the
 * models that are fitted to them.
 */

/* Empty if zeroed. It must not be moved: `problem` points to the models. */
struct mt_predictor {
    struct mt_problem problem; /* the cluster and the program are borrowed */
    struct mt_models models;
    struct mt_samples samples;
    struct mt_measured_list measured; /* the results of these runs */
    /* Operations per second of one node of each group alone, the best of these runs; 0:
       never ran alone, or the program does not say its work. */
    double speed_alone[MT_MAX_GROUPS];
    bool fitted;                /* the store has no such models, or older ones */
    bool stored;                /* they replace older models of the store */
    struct mt_refusal *missing; /* owned; each (group, layout) without a model, and why;
                                   not for N-T models */
    int nmissing;
};

/*
 * Take the runs out of the store, and the models of that kind. Auto models are fitted
 * to all runs; of the papers' kinds, the stored models are taken, unless none are
 * there, runs were added since, the program's terms or its split are others now, or the
 * cluster has got a group again. What is fitted takes the options of the stored models.
 * Nothing is written: new ones are kept for the next time by mt_store_put_models().
 *
 * The cluster and the program must outlive `predictor`, which must be empty, and is to
 * be cleared in any case: on failure it says which runs there were. MT_ENOTFOUND
 * without a single run, MT_ERANK when the runs determine no model.
 */
MT_MUST_CHECK int mt_predictor_load(struct mt_predictor *predictor,
                                    struct mt_store *store,
                                    const struct mt_cluster *cluster,
                                    const struct mt_program *program,
                                    enum mt_model_kind kind, struct mt_error *err);
/* The same from runs that are in no store, which are taken over also on failure, and by
   models that are fitted to them as the options say. */
MT_MUST_CHECK int mt_predictor_fit(struct mt_predictor *predictor,
                                   const struct mt_cluster *cluster,
                                   const struct mt_program *program,
                                   struct mt_samples *samples,
                                   const struct mt_fit_options *options,
                                   struct mt_error *err);
void mt_predictor_clear(struct mt_predictor *predictor);

/*
 * The time that plans rank, prove and print. With auto models, a configuration that ran
 * at this size takes the median of its runs, and any other one the exponential of the
 * posterior mean of the logarithm, which exceeds the median of mt_models_predict()
 * where a few hypotheses predict a far longer time. It is `unseen` if no similar
 * configuration ran at any size: groups that never ran together, or a group alone on
 * less than half the fewest, or more than twice the most processes that it ran with.
 * The papers' kinds are as they are.
 */
MT_MUST_CHECK int mt_predictor_predict(const struct mt_predictor *predictor,
                                       const struct mt_configuration *configuration,
                                       double size, struct mt_prediction *prediction,
                                       struct mt_error *err);
/* The seconds of mt_predictor_predict() alone, at a hundredth of the cost. */
MT_MUST_CHECK int mt_predictor_seconds(const struct mt_predictor *predictor,
                                       const struct mt_configuration *configuration,
                                       double size, double *seconds,
                                       struct mt_error *err);

/* The objective; times are the seconds of mt_predictor_predict(). Ties go to fewer
   nodes, then to fewer processes, then, group by group in the cluster's order, to more
   nodes there, more processes on each of them, and the layout that is greater by
   processes, threads, binding and GPUs. */
enum mt_objective {
    MT_FASTEST,      /* least seconds */
    MT_CHEAPEST,     /* least cost; ties: least seconds */
    MT_LEAST_ENERGY, /* likewise */
    MT_NOBJECTIVES
};

/* "time", "price", "energy". */
const char *mt_objective_name(enum mt_objective objective);
/* The objective of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_objective_parse(enum mt_objective *objective, const char *name,
                                     struct mt_error *err);

/* What is asked. Zeroed members do not restrict. */
struct mt_question {
    double size; /* N; > 0 */
    enum mt_objective objective;
    double deadline;   /* seconds */
    double confidence; /* the chance with which a run must keep deadline, budget and
                          efficiency; 0: the predicted values must */
    double budget;     /* cost of the run: seconds / 3600 * sum of the nodes' prices,
                          each of them rounded to a millionth */
    double efficiency; /* the least, as of mt_plan_efficiency(); configurations without
                          one are not allowed */
    double cost, joules; /* upper ends of the predictions decide; ties in time may then
                            come in any order */
    int max_nodes;
    bool ran_first; /* configurations that did not run at this size rank behind all that
                       did, as after a verification */
    int top;        /* how many choices are wanted; 0: 1 */
};

/* One configuration of the answer. */
struct mt_choice {
    struct mt_configuration configuration;
    struct mt_prediction prediction;
    bool behind; /* ranks behind all others, whatever its prediction: a guess, while
                    others ran at this size */
    int ranks;   /* P */
    int nodes;
    double cost;   /* 0 when no group that is used has a price */
    double joules; /* 0 when no group that is used has watts */
};

/* Empty if zeroed; mt_plan_clear() makes it empty again. */
struct mt_plan {
    struct mt_choice *choices; /* owned; from the best on */
    int count;
    bool exact;   /* proven: no configuration ranks before the first; with P-T or NP-T
                     models and more than 60,000 configurations, one may tie with it */
    double bound; /* lower bound of mt_choice_value() over all configurations that are
                     not `behind` */
    int failed; /* configurations left out because all their runs at this size failed */
    double configurations; /* in the search space */
    double evaluated;      /* configurations, and sets of them, looked at */
};

void mt_plan_clear(struct mt_plan *plan);

/* The value that the objective minimises: seconds, cost or joules. */
double mt_choice_value(const struct mt_choice *choice, enum mt_objective objective);

/* Whether any group has a price, or watts; otherwise these members of a choice are
   meaningless. */
bool mt_cluster_has_prices(const struct mt_cluster *cluster);
bool mt_cluster_has_watts(const struct mt_cluster *cluster);

/* Whether the cluster can answer the question: MT_EINVAL when prices or watts are to
   decide, or prices to limit, and no group has one. */
MT_MUST_CHECK int mt_question_check(const struct mt_question *question,
                                    const struct mt_cluster *cluster,
                                    struct mt_error *err);

/* Whether the program may run there and be proposed: its `valid`, the memory of the
   nodes, and groups that are not to be mixed. */
bool mt_plan_fits(const struct mt_cluster *cluster, const struct mt_program *program,
                  const struct mt_configuration *configuration, double size);

/*
 * The search for the configurations that models predict to be the best.
 *
 * Up to 60,000 configurations are all tried (with N-T models: those with a model).
 * Beyond that, auto models bound the time over sets of configurations, and branch and
 * bound proves the best. P-T and NP-T models have bounds over intervals of P. If a
 * search gives up, or its result does not reach the bound, the plan gives a lower bound
 * on all configurations.
 */

/*
 * The best configurations: the best one for each of the `top` best total process counts
 * P, from the best on. Configurations that do not fit into memory, that the program's
 * `valid` excludes or that the models cannot predict are left out. MT_EINFEASIBLE when
 * nothing is left; the reason names a constraint whose removal leaves some. `plan` must
 * be empty.
 */
MT_MUST_CHECK int mt_plan_search(struct mt_plan *plan, const struct mt_problem *problem,
                                 const struct mt_question *question,
                                 struct mt_error *err);

/*
 * The best configurations, as mt_plan_search() gives them, but by the times of
 * mt_predictor_predict(), and without configurations whose runs at this size all
 * failed. `all`: try every configuration, and keep all that are allowed. `plan` must be
 * empty; failures as of mt_question_check() and mt_plan_search().
 */
MT_MUST_CHECK int mt_plan_make(struct mt_plan *plan,
                               const struct mt_predictor *predictor,
                               const struct mt_question *question, bool all,
                               struct mt_error *err);

/*
 * The candidates for the best configuration, to be verified by runs, ranked by their
 * seconds, without intervals: all that are allowed where the cluster has up to 60,000,
 * otherwise the best one of each of the best 50 P, and those that ran at this size.
 * `plan` must be empty; failures as of mt_plan_make().
 */
MT_MUST_CHECK int mt_plan_candidates(struct mt_plan *plan,
                                     const struct mt_predictor *predictor,
                                     const struct mt_question *question,
                                     struct mt_error *err);

/*
 * The Pareto front of time against cost or energy.
 */

struct mt_front_point {
    struct mt_choice choice;
    bool exact;   /* proven: no configuration that costs as little, or less, is
                     faster */
    double bound; /* lower bound of the seconds at this cost; 0: unknown */
};

/* Empty if zeroed; mt_front_clear() makes it empty again. */
struct mt_front {
    struct mt_front_point *points; /* owned; from the fastest on: each takes longer than
                                      the one before, and less of `other` */
    int count;
    enum mt_objective against; /* MT_CHEAPEST or MT_LEAST_ENERGY */
    double share; /* for each allowed configuration some point is at least as fast, and
                     1 - share times its cost or energy is not more; 0: every point is
                     there */
    bool exact;   /* all points are proven */
    int failed;   /* this and the next two as in a plan */
    double configurations, evaluated;
};

/*
 * The front of time against what question->objective names; MT_FASTEST: against the
 * cost where groups have prices, otherwise energy. Exact in the sense of
 * mt_plan_search(): the fastest, the fastest that takes less than that, and so on.
 * question->top: how many points at most (>= 2; 0: all of them); where there are more,
 * or more than a thousand million configurations, each next one takes less by a share,
 * 1 % or as much as that needs, and the last one takes the least of all. Choices that
 * are behind are left out unless all are.
 *
 * `front` must be empty. MT_EINVAL as of mt_question_check(), also when neither prices
 * nor watts are known; MT_EINFEASIBLE as of mt_plan_make().
 */
MT_MUST_CHECK int mt_plan_front(struct mt_front *front,
                                const struct mt_predictor *predictor,
                                const struct mt_question *question,
                                struct mt_error *err);
void mt_front_clear(struct mt_front *front);

/* The chance that a run of a choice keeps the question's deadline, budget and
   efficiency; 1: it has none of them; NaN: unknown. */
double mt_plan_chance(const struct mt_predictor *predictor,
                      const struct mt_choice *choice,
                      const struct mt_question *question);

/* Operations per second of a choice at that size; NaN: the program does not say its
   work. */
double mt_plan_speed(const struct mt_predictor *predictor,
                     const struct mt_choice *choice, double size);
/* Its speed over the sum of its nodes' speeds alone: the best of one node, or, if the
   program has no `work`, by the fastest run at that size on the fewest nodes of the
   group alone. NaN: a group has no such run. */
double mt_plan_efficiency(const struct mt_predictor *predictor,
                          const struct mt_choice *choice, double size);

/*
 * The largest number of equal nodes on which a program keeps some efficiency, by runs
 * on a few numbers of nodes. It needs neither a cluster file nor a program file.
 */

/* The largest answer, as a multiple of the most nodes that ran. */
enum { MT_SCALING_REACH = 4 };

/* A run. */
struct mt_scaling_run {
    char *group; /* of equal nodes, or a machine; only read */
    struct mt_layout layout;
    int nodes;
    double size;    /* N; > 0 */
    double seconds; /* > 0 */
};

struct mt_scaling_question {
    double efficiency; /* that is wanted; above 0, at most 1 */
    double confidence; /* the chance with which a run must have it; above 0, below 1 */
};

/* A number of nodes. */
struct mt_scaling_point {
    int nodes;
    double size;
    double measured; /* median of the runs, seconds; NaN: none was made */
    int runs;
    struct mt_prediction prediction; /* by auto models, also where it ran */
    double speedup;                  /* efficiency * nodes */
    double efficiency; /* of the measured time, else of the predicted one */
    double chance;     /* that a run has the wanted efficiency; where it ran 0 or 1 */
};

/*
 * Runs that are compared with each other: of one group, layout and size. Efficiency is
 * n0 T(n0) / (n T(n)), where n0 is the smallest number of nodes that ran. Weak scaling:
 * each size of the group and layout ran on one number of nodes only, and grows with it;
 * then efficiency is T(n0) / T(n), and sizes that did not run grow as those that did.
 */
struct mt_scaling_series {
    char *group; /* owned */
    struct mt_layout layout;
    bool weak;
    double size; /* weak: the smallest */
    struct mt_scaling_point
        *points; /* owned; ascending: those that ran, the answer, and
                    doublings of the most nodes up to one beyond it */
    int count;
    int most;   /* nodes that ran */
    int answer; /* the point with the most nodes that have the wanted efficiency,
                   measured or with the confidence */
    bool open;  /* it is at the limit, MT_SCALING_REACH times the most nodes that ran:
                   more nodes may do, too */
};

/* Empty if zeroed. */
struct mt_scaling {
    struct mt_scaling_series *series; /* owned; by group, layout and size */
    int count;
    int left_out; /* runs whose group, layout and size ran on one number of nodes only
                   */
};

/*
 * The answer for each series, by an auto model of each group's runs. `scaling` must be
 * empty. MT_EINVAL: the question, or a run, is impossible; MT_ERANK: no series has runs
 * on two numbers of nodes.
 */
MT_MUST_CHECK int mt_scaling_find(struct mt_scaling *scaling,
                                  const struct mt_scaling_run *runs, int count,
                                  const struct mt_scaling_question *question,
                                  struct mt_error *err);
void mt_scaling_clear(struct mt_scaling *scaling);

MT_C_END

#endif
