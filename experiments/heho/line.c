/* SPDX-License-Identifier: BSD-3-Clause */
#include "line.h"

#include "cli/common/json.h"

#include <math.h>

static int smallest_group(const struct mt_cluster *cluster)
{
    int nodes = cluster->groups[0].nodes;
    for (int g = 1; g < cluster->ngroups; g++)
        if (cluster->groups[g].nodes < nodes)
            nodes = cluster->groups[g].nodes;
    return nodes;
}

static json_t *describe(const struct combination *combination)
{
    const struct mt_inputs *inputs = &combination->recorded->inputs;
    const struct trial_options *options = &combination->options;
    int papers_runs;
    double papers_seconds;
    training_of_papers(combination->recorded, &papers_runs, &papers_seconds);
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:s, s:b, s:i, s:b, s:i, s:i, s:o}", "experiment",
        "heho", "cluster", mt_json_text(inputs->cluster.name), "app",
        mt_json_text(inputs->program.name), "noise", mt_json_number(combination->noise),
        "model", mt_model_kind_name(options->kind), "training",
        training_name(training_resolve(options->design, options->kind)), "verified",
        options->verify > 0, "verify", options->verify, "simulated",
        mt_cluster_simulated(&inputs->cluster), "smallest_group",
        smallest_group(&inputs->cluster), "papers_training_runs", papers_runs,
        "papers_training_seconds", mt_json_number(papers_seconds));
}

static json_t *share(int part, int whole)
{
    return mt_json_number(whole > 0 ? (double)part / whole : NAN);
}

static json_t *tell_regret(const struct figures *figures)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "max_regret",
                     mt_json_number(figures->all.max), "mean_regret",
                     mt_json_number(figures->all.mean), "worst_seed_max_regret",
                     mt_json_number(figures->all.worst_seed), "upper_max_regret",
                     mt_json_number(figures->upper.max), "upper_mean_regret",
                     mt_json_number(figures->upper.mean), "worst_seed_upper_max_regret",
                     mt_json_number(figures->upper.worst_seed));
}

static json_t *tell_errors(const struct figures *figures)
{
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:i}", "upper_error_median",
                     mt_json_number(figures->error_median), "upper_error_worst",
                     mt_json_number(figures->error_worst), "coverage",
                     share(figures->covered, figures->cases), "coverage_cases",
                     figures->cases, "top_coverage",
                     share(figures->top_covered, figures->top_cases),
                     "top_coverage_cases", figures->top_cases);
}

static json_t *tell_costs(const struct combination *combination,
                          const struct figures *figures)
{
    int papers_runs;
    double papers_seconds;
    training_of_papers(combination->recorded, &papers_runs, &papers_seconds);
    return json_pack(
        "{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "seeds", figures->seeds, "sizes",
        figures->sizes, "configurations", figures->configurations, "predicted",
        share(figures->predicted, figures->measured), "training_runs",
        mt_json_number(figures->training_runs), "training_share",
        mt_json_number(figures->training_seconds / papers_seconds), "verification_runs",
        mt_json_number(figures->verification_runs), "verification_share",
        mt_json_number(figures->verification_seconds / papers_seconds));
}

/* Takes `more`, NULL being for one that memory did not suffice for. */
static int add(json_t *object, json_t *more)
{
    const int failed = !object || !more || json_object_update(object, more);
    json_decref(more);
    return failed;
}

int line_print(const struct combination *combination, const struct figures *figures,
               const char *reason, FILE *stream, struct mt_error *err)
{
    json_t *object = describe(combination);
    int failed = add(object, json_pack("{s:b}", "fitted", figures != NULL));
    if (figures)
        failed = failed || add(object, tell_regret(figures)) ||
                 add(object, tell_errors(figures)) ||
                 add(object, tell_costs(combination, figures));
    else
        failed =
            failed || add(object, json_pack("{s:o}", "reason", mt_json_text(reason)));
    failed = failed || json_dumpf(object, stream, JSON_REAL_PRECISION(6)) ||
             fputc('\n', stream) == EOF;
    json_decref(object);
    return failed ? mt_fail(err, MT_EIO, "the line of JSON could not be written")
                  : MT_OK;
}
