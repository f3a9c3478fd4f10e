/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the speeds and links of a cluster from runs in the store. */
#include "speeds.h"

#include "internal.h"
#include "lib/input/internal.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const char *mt_strassen_probe_name(enum mt_strassen_probe probe)
{
    static const char *const names[MT_PROBES] = {
        [MT_PROBE_PRODUCT] = "strassen-product-0",
        [MT_PROBE_STRASSEN] = "strassen-product-1",
        [MT_PROBE_TRANSFER] = "strassen-transfer",
        [MT_PROBE_AGAIN] = "strassen-transfer-again",
        [MT_PROBE_EXCHANGE] = "strassen-exchange",
        [MT_PROBE_OVERLAP] = "strassen-overlap",
    };
    return names[probe];
}

struct mt_configuration mt_strassen_alone(int group, int processes)
{
    struct mt_configuration configuration = {0};
    configuration.use[group] =
        (struct mt_use){.nodes = 1, .layout.processes = processes};
    return configuration;
}

static void add_pair(struct mt_strassen_pairs *pairs, int group, int other)
{
    struct mt_configuration pair = mt_strassen_alone(group, 1);
    if (group == other)
        pair.use[group].nodes = 2;
    else
        pair.use[other] = (struct mt_use){.nodes = 1, .layout.processes = 1};
    pairs->pairs[pairs->count++] = pair;
}

struct mt_strassen_pairs mt_strassen_pairs(const struct mt_cluster *cluster)
{
    struct mt_strassen_pairs pairs = {.count = 0};
    int first = -1;
    for (int g = 0; g < cluster->ngroups; g++) {
        if (cluster->groups[g].nodes == 0)
            continue;
        if (first < 0)
            first = g;
        else
            add_pair(&pairs, first, g);
        if (cluster->groups[g].nodes > 1)
            add_pair(&pairs, g, g);
    }
    if (pairs.count == 0 && first >= 0) {
        const struct mt_group *group = &cluster->groups[first];
        if (group->layouts[group->nlayouts - 1].processes > 1)
            pairs.pairs[pairs.count++] = mt_strassen_alone(first, 2);
    }
    return pairs;
}

/* The store and cluster of the runs. */
struct source {
    struct mt_store *store;
    const struct mt_cluster *cluster;
};

static int fetch_runs(struct mt_runs *runs, const struct source *source,
                      const struct mt_configuration *configuration,
                      enum mt_strassen_probe probe, struct mt_error *err)
{
    char *text = mt_configuration_format(configuration, source->cluster);
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
    const struct mt_run_filter filter = {.cluster = source->cluster->name,
                                         .program = mt_strassen_probe_name(probe),
                                         .configuration = text,
                                         .succeeded_only = true};
    const int status = mt_store_runs(source->store, runs, &filter, err);
    free(text);
    return status;
}

static int compare_runs(const void *left, const void *right)
{
    const struct mt_run *a = left, *b = right;
    return (a->size > b->size) - (a->size < b->size);
}

/* Sizes, and the medians of their times. Empty if zeroed. */
struct points {
    struct mt_strassen_sample *samples; /* owned */
    int count;
};

/* The runs, sorted by size, become a point for each size; `seconds` is room for all. */
static void add_medians(struct points *points, const struct mt_runs *runs,
                        enum mt_strassen_probe probe, double *seconds)
{
    for (int i = 0, next; i < runs->count; i = next) {
        const double size = runs->runs[i].size;
        for (next = i; next < runs->count && runs->runs[next].size == size; next++)
            seconds[next - i] = runs->runs[next].seconds;
        points->samples[points->count++] = (struct mt_strassen_sample){
            .size = size,
            .seconds = mt_median(seconds, next - i),
            .levels = probe == MT_PROBE_STRASSEN,
        };
    }
}

/* Add the points of a probe. */
static int add_points(struct points *points, const struct source *source,
                      const struct mt_configuration *configuration,
                      enum mt_strassen_probe probe, struct mt_error *err)
{
    struct mt_runs runs = {0};
    int status = fetch_runs(&runs, source, configuration, probe, err);
    if (status != MT_OK || runs.count == 0)
        return status;
    struct mt_strassen_sample *more =
        realloc(points->samples, sizeof *more * (size_t)(points->count + runs.count));
    if (more)
        points->samples = more;
    double *seconds = calloc((size_t)runs.count, sizeof *seconds);
    if (more && seconds) {
        qsort(runs.runs, (size_t)runs.count, sizeof *runs.runs, compare_runs);
        add_medians(points, &runs, probe, seconds);
    } else {
        status = mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs.count);
    }
    free(seconds);
    mt_runs_clear(&runs);
    return status;
}

/* NaN: it was not measured. */
static double seconds_at(const struct points *points, double size)
{
    for (int i = 0; i < points->count; i++)
        if (points->samples[i].size == size)
            return points->samples[i].seconds;
    return NAN;
}

/*
 * With few and noisy runs, sums may seem to be almost free, and dozens of tiny products
 * the fastest. So levels are assumed not to pay for products smaller than the measured
 * ones.
 */
static void be_cautious(struct mt_strassen_speed *speed, const struct points *points)
{
    const struct mt_strassen_speed products = {
        .flops = speed->flops, .half = speed->half, .bandwidth = INFINITY};
    double size = INFINITY;
    for (int i = 0; i < points->count; i++)
        size = fmin(size, points->samples[i].size);
    const double saved = mt_strassen_seconds(&products, size, size, size, 0, false) -
                         mt_strassen_seconds(&products, size, size, size, 1, false);
    if (saved > 0)
        speed->bandwidth =
            fmin(speed->bandwidth,
                 mt_strassen_cost(size, size, size, 1, false).bytes / saved);
}

static int read_speed(struct mt_strassen_speed *speed, const struct source *source,
                      int group, int processes, struct mt_error *err)
{
    const struct mt_configuration alone = mt_strassen_alone(group, processes);
    const char *name = source->cluster->groups[group].name;
    struct points points = {0};
    struct mt_error reason = {0};
    int status = add_points(&points, source, &alone, MT_PROBE_PRODUCT, err);
    if (status == MT_OK && points.count == 0)
        status = mt_fail(err, MT_ENOTFOUND,
                         "nothing is known of products on '%s' with %d process%s on a "
                         "node",
                         name, processes, processes == 1 ? "" : "es");
    if (status == MT_OK)
        status = add_points(&points, source, &alone, MT_PROBE_STRASSEN, err);
    if (status == MT_OK) {
        status = mt_strassen_speed_fit(speed, points.samples, points.count, &reason);
        if (status == MT_OK)
            be_cautious(speed, &points);
        else
            mt_fail(err, status, "the products on '%s': %s", name, reason.text);
    }
    free(points.samples);
    return status;
}

/* The measurements of one link, by probe. */
struct link_points {
    struct points of[MT_PROBES];
};

/* Derive one link from its measurements; false: they are incomplete. */
static bool find_link(struct mt_partition_network *link,
                      const struct link_points *points)
{
    const struct points *transfers = &points->of[MT_PROBE_TRANSFER];
    const double small = seconds_at(transfers, MT_STRASSEN_SMALL),
                 large = seconds_at(transfers, MT_STRASSEN_LARGE),
                 both = seconds_at(&points->of[MT_PROBE_EXCHANGE], MT_STRASSEN_LARGE),
                 overlapped =
                     seconds_at(&points->of[MT_PROBE_OVERLAP], MT_STRASSEN_LARGE);
    const double small_bytes = 8.0 * MT_STRASSEN_SMALL * MT_STRASSEN_SMALL,
                 large_bytes = 8.0 * MT_STRASSEN_LARGE * MT_STRASSEN_LARGE;
    if (!(large > small) || isnan(both))
        return false;
    const double again = seconds_at(&points->of[MT_PROBE_AGAIN], MT_STRASSEN_LARGE);
    link->bandwidth = (large_bytes - small_bytes) / (large - small);
    link->latency = fmax(0, small - small_bytes / link->bandwidth);
    if (again < large) { /* false for NaN */
        link->bandwidth = large_bytes / fmax(again - link->latency, again / 2);
        link->fresh = (large - again) / large_bytes;
    }
    link->exchange = fmin(fmax(both / large, 1), 2);
    link->overlap = isnan(overlapped) ? NAN : fmin(fmax(2 - overlapped, 0), 1);
    return true;
}

/* The slowest link becomes the network. */
static int add_link(struct mt_partition_network *network, const struct source *source,
                    const struct mt_configuration *pair, struct mt_error *err)
{
    struct link_points points = {0};
    struct mt_partition_network link = {0};
    int status = MT_OK;
    for (int probe = MT_PROBE_TRANSFER; status == MT_OK && probe < MT_PROBES; probe++)
        status = add_points(&points.of[probe], source, pair,
                            (enum mt_strassen_probe)probe, err);
    if (status == MT_OK && find_link(&link, &points) &&
        link.bandwidth / link.exchange < network->bandwidth / network->exchange)
        *network = link;
    for (int probe = 0; probe < MT_PROBES; probe++)
        free(points.of[probe].samples);
    return status;
}

/* Whether the configuration uses the groups of the pair. */
static bool is_within(const struct mt_configuration *pair,
                      const struct mt_configuration *configuration)
{
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        if (pair->use[g].nodes > 0 && configuration->use[g].nodes == 0)
            return false;
    return true;
}

static int read_network(struct mt_partition_network *network,
                        const struct source *source,
                        const struct mt_configuration *configuration,
                        struct mt_error *err)
{
    const struct mt_strassen_pairs pairs = mt_strassen_pairs(source->cluster);
    struct mt_partition_network within = {.bandwidth = INFINITY, .exchange = 1};
    struct mt_partition_network any = within;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < pairs.count; i++) {
        if (is_within(&pairs.pairs[i], configuration))
            status = add_link(&within, source, &pairs.pairs[i], err);
        else
            status = add_link(&any, source, &pairs.pairs[i], err);
    }
    if (status != MT_OK)
        return status;
    *network = isinf(within.bandwidth) ? any : within;
    if (isinf(network->bandwidth) && mt_configuration_ranks(configuration) > 1)
        return mt_fail(err, MT_ENOTFOUND,
                       "nothing is known of messages between the nodes of '%s'",
                       source->cluster->name);
    return MT_OK;
}

int mt_strassen_calibrate(struct mt_strassen_calibration *calibration,
                          struct mt_store *store, const struct mt_cluster *cluster,
                          const struct mt_configuration *configuration,
                          struct mt_error *err)
{
    const struct source source = {.store = store, .cluster = cluster};
    int status = MT_OK;
    for (int g = 0; status == MT_OK && g < cluster->ngroups; g++)
        if (configuration->use[g].nodes > 0)
            status = read_speed(&calibration->speeds[g], &source, g,
                                configuration->use[g].layout.processes, err);
    return status == MT_OK
               ? read_network(&calibration->network, &source, configuration, err)
               : status;
}
