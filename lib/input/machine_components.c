/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine_file.h"

#include "yaml_value.h"

#include <string.h>

static int read_costs(struct mt_components *components, const struct file_compute *from,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, map, "costs");
    double *costs = components->costs;
    for (int i = 0; i < (int)from->ncosts; i++) {
        const int item = mt_yaml_item(yaml, list, i);
        int status = mt_yaml_amount(&costs[i], yaml, item, "costs", from->costs[i],
                                    MT_SECONDS, err);
        if (status)
            return status;
        if (costs[i] <= 0)
            return mt_yaml_fail(yaml, item, err,
                                "'costs' must be more than 0, not '%s'",
                                from->costs[i]);
        if (i > 0 && costs[i] < costs[i - 1])
            return mt_yaml_fail(yaml, item, err,
                                "'costs' must not fall, as a step costs more beyond a "
                                "cache: '%s' after '%s'",
                                from->costs[i], from->costs[i - 1]);
    }
    return MT_OK;
}

static int read_cache(struct mt_cache_step *cache, const struct file_cache_step *from,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int status =
        mt_yaml_quantity(&cache->hit, yaml, map, "hit", from->hit, MT_BYTES, err);
    if (!status)
        status = mt_yaml_quantity(&cache->miss, yaml, map, "miss", from->miss, MT_BYTES,
                                  err);
    if (!status && cache->hit > cache->miss)
        status = mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "miss"), err,
                              "'miss' must be at least 'hit': '%s' is less than '%s'",
                              from->miss, from->hit);
    return status;
}

static int read_caches(struct mt_components *components,
                       const struct file_compute *from, const struct mt_yaml *yaml,
                       int map, struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, map, "caches");
    const int costs = mt_yaml_member(yaml, map, "costs");
    if (from->ncosts != from->ncaches + 1)
        return mt_yaml_fail(yaml, list ? list : costs, err,
                            "'caches' has %u entries, which need %u 'costs', not %u: "
                            "one before each cache and one beyond the last",
                            from->ncaches, from->ncaches + 1, from->ncosts);
    if (from->ncaches > 0 && !from->working_set)
        return mt_yaml_fail(yaml, list, err,
                            "'caches' needs the key 'working_set', the bytes that a "
                            "process goes through again and again");
    components->ncaches = (int)from->ncaches;
    for (int i = 0; i < components->ncaches; i++) {
        const int item = mt_yaml_item(yaml, list, i);
        int status =
            read_cache(&components->caches[i], &from->caches[i], yaml, item, err);
        if (status)
            return status;
        if (i > 0 && components->caches[i].hit < components->caches[i - 1].miss)
            return mt_yaml_fail(yaml, mt_yaml_member(yaml, item, "hit"), err,
                                "'caches' must go from the smallest to the largest: "
                                "'hit' %s is less than 'miss' %s before it",
                                from->caches[i].hit, from->caches[i - 1].miss);
    }
    return MT_OK;
}

/* A number that some contentions need and the others do not know. */
static int read_number(double *value, const char *key, double number, bool needed,
                       enum mt_contention contention, const struct mt_yaml *yaml,
                       int map, struct mt_error *err)
{
    const int node = mt_yaml_member(yaml, map, key);
    const char *name = mt_contention_name(contention);
    if (node && !needed)
        return mt_yaml_fail(yaml, node, err, "'%s' is not for contention %s", key,
                            name);
    if (!node && needed)
        return mt_yaml_fail(yaml, map, err,
                            "missing key '%s' in 'bandwidth': contention %s needs it",
                            key, name);
    if (number < 0)
        return mt_yaml_fail(yaml, node, err, "'%s' must not be negative: %g", key,
                            number);
    *value = number;
    return MT_OK;
}

static int read_contention(struct mt_bandwidth *bandwidth,
                           const struct file_bandwidth *from,
                           const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    struct mt_error reason;
    enum mt_contention contention = MT_CONTENTION_NONE;
    if (from->contention && mt_contention_parse(&contention, from->contention, &reason))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "contention"), err,
                            "'contention': %s", reason.text);
    bandwidth->contention = contention;
    int status =
        read_number(&bandwidth->strength, "strength", from->strength,
                    mt_contention_has_strength(contention), contention, yaml, map, err);
    if (!status)
        status = read_number(&bandwidth->exponent, "exponent", from->exponent,
                             mt_contention_has_exponent(contention), contention, yaml,
                             map, err);
    return status;
}

static int read_evens_out(struct mt_bandwidth *bandwidth,
                          const struct file_communication *from,
                          const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int node = mt_yaml_member(yaml, map, "evens_out");
    bandwidth->evens_out = from->bandwidth.evens_out;
    if (node && !from->mean_bytes)
        return mt_yaml_fail(yaml, node, err,
                            "'evens_out' needs the key 'mean_bytes' beside 'bytes'");
    return MT_OK;
}

static int read_communication(struct mt_components *components,
                              const struct file_communication *from,
                              const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int latency = mt_yaml_member(yaml, map, "latency");
    const int bandwidth = mt_yaml_member(yaml, map, "bandwidth");
    const struct file_bandwidth *given = &from->bandwidth;
    int status = MT_OK;
    components->overlap = from->overlap;
    if (latency)
        status = mt_yaml_amount(&components->latency, yaml, latency, "latency",
                                from->latency, MT_SECONDS, err);
    if (!status)
        status = mt_yaml_quantity(&components->bandwidth.base, yaml, bandwidth, "base",
                                  given->base, MT_BANDWIDTH, err);
    if (!status)
        status = mt_yaml_quantity(&components->bandwidth.half, yaml, bandwidth, "half",
                                  given->half, MT_BYTES, err);
    if (!status)
        status = read_contention(&components->bandwidth, given, yaml, bandwidth, err);
    if (!status)
        status = read_evens_out(&components->bandwidth, from, yaml, bandwidth, err);
    if (!status && components->latency == 0 && components->bandwidth.base == 0)
        status = mt_yaml_fail(yaml, map, err,
                              "'communication' needs the key 'bandwidth', or "
                              "'latency' for messages whose length does not matter");
    return status;
}

int mt_machine_read_components(struct mt_components *components,
                               const struct file_algorithm *from,
                               const struct mt_yaml *yaml, int map,
                               struct mt_error *err)
{
    const int compute = mt_yaml_member(yaml, map, "compute");
    const int communication = mt_yaml_member(yaml, map, "communication");
    int status = read_costs(components, &from->compute, yaml, compute, err);
    if (!status)
        status = read_caches(components, &from->compute, yaml, compute, err);
    if (!status && communication)
        status = read_communication(components, &from->communication, yaml,
                                    communication, err);
    if (status)
        return status;

    struct mt_error reason;
    const int bandwidth = mt_yaml_member(yaml, communication, "bandwidth");
    const int strength = mt_yaml_member(yaml, bandwidth, "strength");
    const int exponent = mt_yaml_member(yaml, bandwidth, "exponent");
    if (mt_components_check(components, &reason)) /* all but the law is checked */
        return mt_yaml_fail(yaml, strength ? strength : exponent, err, "%s",
                            reason.text);
    return MT_OK;
}
