/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits what runs of several groups show: lambda and the network between groups. */
#include "fit_mixture.h"

#include "fit_runs.h"
#include "lib/stats/stats.h"
#include "traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Column 0 is lambda, 1 + k the k-th shape of traffic. */
enum { EVEN_OUT, TRAFFIC, MOST_COLUMNS = 1 + MT_MOST_TRAFFIC, MOST_TAKEN = 3 };
/* The column that is what figures of links say, where there are any. */
enum { NO_COLUMN = -1 };

/* Relative errors below this are noise; beyond so many times the usual one they count
   as that, so that a wild run does not decide. */
static const double least_error = 0.02, most_errors = 3;
/* How far the unknowns are expected to be from 0, before any run: lambda, and the
   relative effect of the traffic; and from 1 that of the traffic which figures of links
   say. */
static const double usual_effect = 0.5;
/* An unknown is taken if it brings the error of runs left out below this share of what
   it was, and less for few runs: 1 - 1 / runs, where that is below. */
static const double worthwhile = 0.95;

/* A place that was measured, and what the models of the groups say of it. Relative to
   the measured seconds. */
struct mixed_run {
    struct mt_configuration configuration;
    double seconds, size;
    int ranks;
    double missing; /* what the measured time is more than the slowest group's */
    double columns[MOST_COLUMNS]; /* traffic: if all pairs of ranks were apart */
};

struct learning {
    const struct mt_fit_task *task;
    struct mt_traffic_list traffic; /* owned */
    struct mixed_run *runs;         /* owned */
    int nruns;
    double *scratch; /* owned; one a run */
    double bound;    /* of errors that count */
    int links;       /* the column of what figures of links say, or NO_COLUMN */
};

/* A set of columns, and the unknowns that suit them. */
struct explanation {
    struct mt_networks networks;
    int columns[MOST_TAKEN], count;
    double x[MOST_TAKEN];
    double scatter; /* root mean square of the bounded errors of the runs ... */
    double error;   /* ... and of each when the others say what x is */
};

/* The normal equations of up to MOST_TAKEN unknowns. */
struct normal {
    double matrix[MOST_TAKEN][MOST_TAKEN], right[MOST_TAKEN];
};

static void learning_clear(struct learning *learning)
{
    mt_traffic_list_drop(&learning->traffic);
    free(learning->runs);
    free(learning->scratch);
}

/* The models' answer; false: they have none. */
static bool describe(struct mixed_run *run, const struct learning *learning)
{
    const struct mt_fit_task *task = learning->task;
    double highest = 0, mean = 0, serial = 0;
    for (int g = 0; g < task->cluster->ngroups; g++) {
        const struct mt_use *use = &run->configuration.use[g];
        if (use->nodes == 0)
            continue;
        const struct mt_model *model =
            mt_models_find(task->models, task->program, task->cluster->groups[g].name,
                           use->layout, run->ranks);
        double whole = NAN, part = NAN;
        if (model)
            mt_model_parts(model, run->size, run->ranks, &whole, &part);
        if (isnan(whole))
            return false;
        const double share = (double)use->nodes * use->layout.processes / run->ranks;
        highest = fmax(highest, whole - part);
        mean += share * (whole - part);
        serial += share * part;
    }
    run->missing = 1 - (highest + serial) / run->seconds;
    run->columns[EVEN_OUT] = (mean - highest) / run->seconds;
    return true;
}

/* What the shapes of traffic are there; one without a value in some run is of no use.
 */
static void describe_traffic(struct learning *learning)
{
    for (int k = 0; k < learning->traffic.count; k++) {
        bool usable = true;
        for (int i = 0; i < learning->nruns; i++) {
            struct mixed_run *run = &learning->runs[i];
            const double seconds =
                mt_traffic_seconds(&learning->traffic.all[k], run->size, run->ranks);
            usable = usable && isfinite(seconds) && seconds >= 0;
            run->columns[TRAFFIC + k] = seconds / run->seconds;
        }
        for (int i = 0; i < learning->nruns && !usable; i++)
            learning->runs[i].columns[TRAFFIC + k] = 0;
    }
}

/* One place for all repetitions. */
static void gather(struct learning *learning)
{
    const struct mt_fit_run *all = learning->task->runs->all;
    const int count = learning->task->runs->count;
    for (int i = 0, end; i < count; i = end) {
        const int same = mt_configuration_end(all, count, i);
        for (end = i; end < same && all[end].sample->size == all[i].sample->size; end++)
            learning->scratch[end - i] = all[end].sample->seconds;
        if (all[i].group >= 0)
            continue;
        struct mixed_run *run = &learning->runs[learning->nruns];
        *run = (struct mixed_run){.configuration = all[i].sample->configuration,
                                  .seconds = mt_median(learning->scratch, end - i),
                                  .size = all[i].sample->size,
                                  .ranks = all[i].ranks};
        learning->nruns += describe(run, learning);
    }
}

/* The value of a column that was taken, where the networks are known. */
static double column_at(const struct explanation *of, int j,
                        const struct mixed_run *run)
{
    const int column = of->columns[j];
    if (column == EVEN_OUT)
        return run->columns[column];
    return run->columns[column] * mt_networks_apart(&of->networks, &run->configuration);
}

static double error_at(const struct explanation *of, const double *x,
                       const struct mixed_run *run)
{
    double error = run->missing;
    for (int j = 0; j < of->count; j++)
        error -= x[j] * column_at(of, j, run);
    return error;
}

static void add_run(struct normal *normal, const struct explanation *of,
                    const struct mixed_run *run, double weight)
{
    double row[MOST_TAKEN];
    for (int j = 0; j < of->count; j++)
        row[j] = column_at(of, j, run);
    for (int j = 0; j < of->count; j++) {
        for (int k = 0; k < of->count; k++)
            normal->matrix[j][k] += weight * row[j] * row[k];
        normal->right[j] += weight * row[j] * run->missing;
    }
}

/* What is known beforehand counts the more the worse the runs are explained. */
static void add_prior(struct normal *normal, const struct learning *learning,
                      const struct explanation *of)
{
    const double weight = pow(of->scatter / usual_effect, 2);
    for (int j = 0; j < of->count; j++) {
        const bool relative =
            of->columns[j] != EVEN_OUT && of->columns[j] != learning->links;
        normal->matrix[j][j] +=
            relative ? weight * normal->matrix[j][j] / learning->nruns : weight;
        normal->right[j] += of->columns[j] == learning->links ? weight : 0;
    }
}

/* The least sum of squares in the box 0 <= x, lambda <= 1, one unknown after the other:
   they are few. */
static void solve_in_box(const struct normal *normal, const struct explanation *of,
                         double *x)
{
    enum { MOST_SWEEPS = 500 };
    const double settled = 1e-12;
    memset(x, 0, MOST_TAKEN * sizeof *x);
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        bool moved = false;
        for (int j = 0; j < of->count; j++) {
            double right = normal->right[j];
            for (int k = 0; k < of->count; k++)
                right -= k == j ? 0 : normal->matrix[j][k] * x[k];
            const double most = of->columns[j] == EVEN_OUT ? 1 : INFINITY;
            const double best = normal->matrix[j][j] > 0
                                    ? fmax(0, fmin(most, right / normal->matrix[j][j]))
                                    : 0;
            moved = moved || fabs(best - x[j]) > settled * fabs(best);
            x[j] = best;
        }
        if (!moved)
            return;
    }
}

/* How much a run counts: one far off the others pulls no harder than one at the bound.
 */
static double weight_of(const struct learning *learning, double error)
{
    return fmin(1, learning->bound / fabs(error));
}

static void add_all(struct normal *normal, const struct learning *learning,
                    const struct explanation *of)
{
    *normal = (struct normal){0};
    for (int i = 0; i < learning->nruns; i++)
        add_run(normal, of, &learning->runs[i],
                weight_of(learning, error_at(of, of->x, &learning->runs[i])));
}

static double bounded(const struct learning *learning, double error)
{
    return fmax(-learning->bound, fmin(learning->bound, error));
}

static double scatter_of(const struct learning *learning, const struct explanation *of)
{
    double sum = 0;
    for (int i = 0; i < learning->nruns; i++)
        sum += pow(bounded(learning, error_at(of, of->x, &learning->runs[i])), 2);
    return fmax(least_error, sqrt(sum / learning->nruns));
}

/* Find the unknowns, and how well each run is explained by the others. */
static void explain(const struct learning *learning, struct explanation *of)
{
    enum { REWEIGHTINGS = 8 };
    struct normal all, kept;
    memset(of->x, 0, sizeof of->x);
    of->scatter = least_error;
    for (int i = 0; i < REWEIGHTINGS; i++) {
        add_all(&all, learning, of);
        kept = all;
        add_prior(&kept, learning, of);
        solve_in_box(&kept, of, of->x);
        of->scatter = scatter_of(learning, of);
    }
    double sum = 0;
    for (int i = 0; i < learning->nruns; i++) {
        const struct mixed_run *run = &learning->runs[i];
        double x[MOST_TAKEN];
        kept = all;
        add_run(&kept, of, run, -weight_of(learning, error_at(of, of->x, run)));
        add_prior(&kept, learning, of);
        solve_in_box(&kept, of, x);
        sum += pow(bounded(learning, error_at(of, x, run)), 2);
    }
    of->error = sqrt(sum / learning->nruns);
}

static bool is_worth(const struct learning *learning, double error, double before)
{
    return error < before * fmin(worthwhile, 1 - 1.0 / learning->nruns);
}

static bool has_links(const struct explanation *of, const struct learning *learning)
{
    return of->count > 0 && of->columns[0] == learning->links;
}

static int count_terms(const struct learning *learning, int column)
{
    return column == EVEN_OUT
               ? 0
               : mt_terms_count(learning->traffic.all[column - TRAFFIC].terms);
}

/* Whether the terms of what is taken, and of one column more, are no more than K can
   have. */
static bool has_room(const struct explanation *of, const struct learning *learning,
                     int column)
{
    int count = count_terms(learning, column);
    for (int j = 0; j < of->count; j++)
        count += count_terms(learning, of->columns[j]);
    return count <= MT_MAX_TERMS;
}

/* Take one column after the other, as long as that helps. What figures of links say
   stays in, or out. */
static void explain_best(const struct learning *learning, struct explanation *of)
{
    const int known = has_links(of, learning);
    const int most = known + learning->nruns / 2 < MOST_TAKEN
                         ? known + learning->nruns / 2
                         : MOST_TAKEN;
    of->count = known;
    explain(learning, of);
    bool better = true;
    while (better && of->count < most && of->error > least_error) {
        struct explanation best = *of;
        better = false;
        for (int c = 0; c < TRAFFIC + learning->traffic.count; c++) {
            struct explanation tried = *of;
            if (c == learning->links || !has_room(of, learning, c))
                continue;
            tried.columns[tried.count++] = c;
            explain(learning, &tried);
            /* of shapes that are as good the earlier one is taken */
            if (is_worth(learning, tried.error, of->error) &&
                (!better || tried.error < worthwhile * best.error)) {
                best = tried;
                better = true;
            }
        }
        *of = best;
    }
}

/* Put the networks a and b together; a < b. */
static struct mt_networks joined(const struct mt_networks *networks, int a, int b)
{
    struct mt_networks together = *networks;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        int *of = &together.of[g];
        if (*of == b)
            *of = a;
        else if (*of > b)
            --*of;
    }
    together.count--;
    return together;
}

/* Which groups are on one network, as long as to put two together explains the runs
   better. */
static void join_networks(const struct learning *learning, struct explanation *of)
{
    bool better = true;
    while (better && of->networks.count > 2 && of->error > least_error) {
        struct explanation best = *of;
        better = false;
        for (int b = 1; b < of->networks.count; b++) {
            for (int a = 0; a < b; a++) {
                struct explanation tried = *of;
                tried.networks = joined(&of->networks, a, b);
                explain_best(learning, &tried);
                if (is_worth(learning, tried.error, best.error)) {
                    best = tried;
                    better = true;
                }
            }
        }
        *of = best;
    }
}

/* The networks as text. */
static int write_networks(struct mt_mixture *mixture, const struct learning *learning,
                          const struct mt_networks *networks, struct mt_error *err)
{
    const struct mt_cluster *cluster = learning->task->cluster;
    size_t length;
    FILE *stream = open_memstream(&mixture->networks, &length);
    if (!stream)
        return mt_fail(err, MT_ENOMEM, "no memory for the networks of '%s'",
                       cluster->name);
    const char *between = "";
    for (int n = 0; n < networks->count; n++) {
        const char *separator = between;
        for (int g = 0; g < cluster->ngroups; g++) {
            if (networks->of[g] != n)
                continue;
            fprintf(stream, "%s%s", separator, cluster->groups[g].name);
            separator = "+";
            between = ", ";
        }
    }
    return fclose(stream) == 0 && mixture->networks
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for the networks of '%s'",
                         cluster->name);
}

/* K from the shapes that were taken. */
static int write_traffic(struct mt_mixture *mixture, const struct learning *learning,
                         const struct explanation *of, struct mt_error *err)
{
    char *text = NULL;
    size_t length;
    int count = 0;
    mixture->kappa = calloc((size_t)MOST_TAKEN * MT_MAX_TERMS, sizeof *mixture->kappa);
    FILE *stream = open_memstream(&text, &length);
    if (!stream || !mixture->kappa) {
        if (stream)
            fclose(stream);
        free(text);
        return mt_fail(err, MT_ENOMEM, "no memory for the costs between networks");
    }
    for (int j = 0; j < of->count; j++) {
        if (of->columns[j] == EVEN_OUT || of->x[j] == 0)
            continue;
        const struct mt_traffic *traffic =
            &learning->traffic.all[of->columns[j] - TRAFFIC];
        fprintf(stream, "%s%s", count > 0 ? ", " : "", traffic->text);
        for (int i = 0; i < mt_terms_count(traffic->terms); i++)
            mixture->kappa[count++] = of->x[j] * traffic->weights[i];
    }
    mixture->terms_text = fclose(stream) == 0 ? text : NULL;
    if (!mixture->terms_text)
        return mt_fail(err, MT_ENOMEM, "no memory for the costs between networks");
    return mt_terms_parse(&mixture->terms, mixture->terms_text, err);
}

/* What of N and P the runs show. */
static void find_ranges(struct mt_mixture *mixture, const struct learning *learning)
{
    for (int i = 0; i < learning->nruns; i++) {
        const struct mixed_run *run = &learning->runs[i];
        mixture->size_low = i ? fmin(mixture->size_low, run->size) : run->size;
        mixture->size_high = fmax(mixture->size_high, run->size);
        mixture->ranks_high =
            run->ranks > mixture->ranks_high ? run->ranks : mixture->ranks_high;
        mixture->ranks_low =
            i && mixture->ranks_low < run->ranks ? mixture->ranks_low : run->ranks;
    }
}

static int hand_over(const struct learning *learning, const struct explanation *of,
                     struct mt_error *err)
{
    struct mt_mixture *mixture = &learning->task->models->mixture;
    bool crosses = false;
    mixture->runs = learning->nruns;
    mixture->residual = of->error;
    find_ranges(mixture, learning);
    for (int j = 0; j < of->count; j++) {
        if (of->columns[j] == EVEN_OUT)
            mixture->lambda = of->x[j];
        else
            crosses = crosses || of->x[j] > 0;
    }
    int status = crosses ? write_traffic(mixture, learning, of, err) : MT_OK;
    if (status == MT_OK && crosses &&
        of->networks.count < learning->task->cluster->ngroups)
        status = write_networks(mixture, learning, &of->networks, err);
    return status;
}

/* What the models alone get wrong, and how much of an error counts. */
static void find_bound(struct learning *learning)
{
    for (int i = 0; i < learning->nruns; i++)
        learning->scratch[i] = fabs(learning->runs[i].missing);
    learning->bound =
        most_errors * fmax(least_error, mt_median(learning->scratch, learning->nruns));
}

/* What the figures of links say, as if runs had confirmed it. */
static struct explanation links_alone(const struct learning *learning,
                                      const struct mt_link_prior *prior)
{
    return (struct explanation){.networks = prior->networks,
                                .columns = {learning->links},
                                .count = 1,
                                .x = {1}};
}

/* Begin with nothing, and with what the figures of links say, which stays unless the
   runs are explained better without. */
static void explain_runs(const struct learning *learning,
                         const struct mt_link_prior *prior, struct explanation *of)
{
    const struct mt_cluster *cluster = learning->task->cluster;
    mt_mixture_networks(&(struct mt_mixture){0}, cluster, &of->networks);
    const int separate = of->networks.count;
    /* Runs that are no more than the networks say nothing of these. */
    const bool any_networks =
        separate == cluster->ngroups && learning->nruns > separate;
    explain_best(learning, of);
    if (any_networks)
        join_networks(learning, of);
    if (learning->links == NO_COLUMN)
        return;
    struct explanation with = links_alone(learning, prior);
    explain_best(learning, &with);
    if (any_networks)
        join_networks(learning, &with);
    if (!is_worth(learning, of->error, with.error))
        *of = with;
}

static int list_traffic(struct learning *learning, struct mt_link_prior *prior,
                        struct mt_error *err)
{
    const struct mt_fit_task *task = learning->task;
    struct mt_traffic_list *list = &learning->traffic;
    int status = mt_traffic_list_make(list, task->models, task->program, err);
    mt_link_prior_find(prior, task->cluster, task->links);
    if (status == MT_OK && prior->known)
        status = mt_traffic_list_add_links(list, prior->messages, prior->bytes, err);
    if (status == MT_OK && list->count > 0 && list->all[list->count - 1].of_links)
        learning->links = TRAFFIC + list->count - 1;
    return status;
}

static int learn(struct learning *learning, struct mt_error *err)
{
    struct explanation of = {0};
    struct mt_link_prior prior;
    int status = list_traffic(learning, &prior, err);
    if (status != MT_OK)
        return status;
    describe_traffic(learning);
    if (learning->nruns > 0) {
        find_bound(learning);
        explain_runs(learning, &prior, &of);
    } else if (learning->links != NO_COLUMN) {
        of = links_alone(learning, &prior);
    }
    return hand_over(learning, &of, err);
}

int mt_fit_mixture(const struct mt_fit_task *task, struct mt_error *err)
{
    struct learning learning = {.task = task, .links = NO_COLUMN};
    if (task->links)
        task->models->mixture.checked = mt_link_figures_newest(task->links);
    const size_t room = (size_t)task->runs->count + 1;
    learning.runs = calloc(room, sizeof *learning.runs);
    learning.scratch = calloc(room, sizeof *learning.scratch);
    int status = MT_OK;
    if (learning.runs && learning.scratch)
        gather(&learning);
    else
        status = mt_fail(err, MT_ENOMEM, "no memory for the runs of several groups");
    if (status == MT_OK && (learning.nruns > 0 || task->models->mixture.checked))
        status = learn(&learning, err);
    learning_clear(&learning);
    return status;
}
