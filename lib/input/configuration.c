/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"
#include "layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_group(const struct mt_cluster *cluster, const char *name, size_t length)
{
    for (int i = 0; i < cluster->ngroups; i++) {
        const char *known = cluster->groups[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return i;
    }
    return -1;
}

/* The place of `processes` among the numbers that a group may run, or -1. */
static int find_processes(const struct mt_group *group, int processes)
{
    for (int i = 0; i < group->nlayouts; i++)
        if (group->layouts[i].processes == processes)
            return i;
    return -1;
}

/* The place of a layout among those that a group may run, or -1. */
static int find_layout(const struct mt_group *group, struct mt_layout layout)
{
    for (int i = 0; i < group->nlayouts; i++)
        if (mt_layout_compare(group->layouts[i], layout) == 0)
            return i;
    return -1;
}

static int check_use(const struct mt_group *group, struct mt_use use, const char *text,
                     struct mt_error *err)
{
    const int nodes = group->nodes + group->down;
    if (use.nodes < 1 || use.nodes > nodes)
        return mt_fail(err, MT_EINVAL,
                       "group '%s' has 1 to %d nodes to use, not %d: '%s'", group->name,
                       nodes, use.nodes, text);
    if (use.layout.threads < 0 || use.layout.threads > MT_MOST_THREADS)
        return mt_fail(err, MT_EINVAL, "a process may have 1 to %d threads: '%s'",
                       MT_MOST_THREADS, text);
    if ((int64_t)use.layout.threads * use.layout.processes > MT_MOST_NODE_THREADS)
        return mt_fail(err, MT_EINVAL,
                       "a node may have at most %d threads, not %d for each of %d "
                       "processes: '%s'",
                       MT_MOST_NODE_THREADS, use.layout.threads, use.layout.processes,
                       text);
    if (use.layout.gpus > 0 &&
        (int64_t)use.layout.gpus * use.layout.processes > group->gpus)
        return mt_fail(err, MT_EINVAL,
                       "a node of group '%s' has %d GPU%s, not %d for each of %d "
                       "process%s: '%s'",
                       group->name, group->gpus, group->gpus == 1 ? "" : "s",
                       use.layout.gpus, use.layout.processes,
                       use.layout.processes == 1 ? "" : "es", text);
    if (find_processes(group, use.layout.processes) >= 0)
        return MT_OK;
    char known[128] = "";
    size_t length = 0;
    for (int i = 0; i < group->nlayouts && length < sizeof known; i++)
        if (i == 0 || group->layouts[i].processes != group->layouts[i - 1].processes)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%d",
                                       i > 0 ? ", " : "", group->layouts[i].processes);
    return mt_fail(err, MT_EINVAL,
                   "group '%s' may run %s processes on a node, not %d: '%s'",
                   group->name, known, use.layout.processes, text);
}

/* Read one "group:NODESxPROCESSES[tTHREADS][gGPUS][@BINDING]" at *part, and step over
   it. */
static int parse_part(struct mt_configuration *configuration,
                      const struct mt_cluster *cluster, const char *text,
                      const char **part, struct mt_error *err)
{
    const char *name = *part;
    const int column = (int)(name - text) + 1;
    const size_t length = strcspn(name, ":+");
    const char *at = name + length;
    struct mt_use use = {0};
    if (length == 0 || *at++ != ':' || !mt_count_read(&at, &use.nodes) ||
        *at++ != 'x' || !mt_layout_read(&use.layout, &at) || (*at && *at != '+'))
        return mt_fail(err, MT_EPARSE,
                       "not of the form group:NODESxPROCESSES[tTHREADS][gGPUS]"
                       "[@BINDING] at column %d: '%s'",
                       column, text);
    int i = find_group(cluster, name, length);
    if (i < 0)
        return mt_fail(err, MT_EINVAL, "no such group '%.*s' in cluster '%s': '%s'",
                       (int)length, name, cluster->name, text);
    if (configuration->use[i].nodes > 0)
        return mt_fail(err, MT_EPARSE, "group '%s' comes twice: '%s'",
                       cluster->groups[i].name, text);
    configuration->use[i] = use;
    *part = at;
    return check_use(&cluster->groups[i], use, text, err);
}

int mt_configuration_parse(struct mt_configuration *configuration,
                           const struct mt_cluster *cluster, const char *text,
                           struct mt_error *err)
{
    struct mt_configuration parsed = {0};
    const char *at = text;
    int status = parse_part(&parsed, cluster, text, &at, err);
    while (status == MT_OK && *at == '+') {
        at++;
        status = parse_part(&parsed, cluster, text, &at, err);
    }
    if (status == MT_OK)
        *configuration = parsed;
    return status;
}

char *mt_configuration_format(const struct mt_configuration *configuration,
                              const struct mt_cluster *cluster)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const char *separator = "";
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_use *use = &configuration->use[i];
        if (use->nodes == 0)
            continue;
        char layout[MT_LAYOUT_LENGTH];
        fprintf(out, "%s%s:%dx%s", separator, cluster->groups[i].name, use->nodes,
                mt_layout_format(layout, use->layout));
        separator = "+";
    }
    if (!*separator)
        fputc('-', out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

struct mt_use mt_use_nodes(int nodes, struct mt_layout layout)
{
    return nodes > 0 ? (struct mt_use){nodes, layout} : (struct mt_use){0};
}

bool mt_configuration_has_threads(const struct mt_configuration *configuration)
{
    bool any = false;
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        any = any || configuration->use[i].layout.threads > 0;
    return any;
}

int mt_configuration_ranks(const struct mt_configuration *configuration)
{
    int ranks = 0;
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        ranks += configuration->use[i].nodes * configuration->use[i].layout.processes;
    return ranks;
}

int mt_configuration_nodes(const struct mt_configuration *configuration)
{
    int nodes = 0;
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        nodes += configuration->use[i].nodes;
    return nodes;
}

int mt_configuration_only_group(const struct mt_configuration *configuration)
{
    int only = -1;
    for (int i = 0; i < MT_MAX_GROUPS; i++) {
        if (configuration->use[i].nodes == 0)
            continue;
        if (only >= 0)
            return -1;
        only = i;
    }
    return only;
}

bool mt_configuration_equal(const struct mt_configuration *a,
                            const struct mt_configuration *b)
{
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        if (a->use[i].nodes != b->use[i].nodes ||
            mt_layout_compare(a->use[i].layout, b->use[i].layout) != 0)
            return false;
    return true;
}

int mt_configuration_find_nodes(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster, struct mt_error *err)
{
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_group *group = &cluster->groups[i];
        const int wanted = configuration->use[i].nodes;
        if (wanted > group->nodes)
            return mt_fail(
                err, MT_EINFEASIBLE,
                "the configuration needs %d node%s of group '%s', of which %d answer%s",
                wanted, wanted == 1 ? "" : "s", group->name, group->nodes,
                group->nodes == 1 ? "s" : "");
    }
    return MT_OK;
}

/* Step to the group's next use; from the last one to none, which returns false. */
static bool next_use(struct mt_use *use, const struct mt_group *group)
{
    if (group->nodes == 0)
        return false;
    if (use->nodes == 0) {
        *use = mt_use_nodes(1, group->layouts[0]);
        return true;
    }
    if (use->nodes < group->nodes) {
        use->nodes++;
        return true;
    }
    const int next = find_layout(group, use->layout) + 1;
    if (next < group->nlayouts) {
        *use = mt_use_nodes(1, group->layouts[next]);
        return true;
    }
    *use = (struct mt_use){0};
    return false;
}

bool mt_configuration_forbidden(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster)
{
    int used = 0;
    bool alone = false;
    for (int i = 0; i < cluster->ngroups; i++) {
        if (configuration->use[i].nodes == 0)
            continue;
        used++;
        alone = alone || cluster->groups[i].alone;
    }
    return (used > 1 && alone) ||
           mt_configuration_check(configuration, cluster, NULL) != MT_OK;
}

/* The group that is used and may only be used alone, or -1. */
static int used_alone(const struct mt_configuration *configuration,
                      const struct mt_cluster *cluster)
{
    for (int i = 0; i < cluster->ngroups; i++)
        if (cluster->groups[i].alone && configuration->use[i].nodes > 0)
            return i;
    return -1;
}

static bool step(struct mt_configuration *configuration,
                 const struct mt_cluster *cluster)
{
    /* Counts like an odometer whose first wheel turns fastest: the groups that may be
       mixed. Then the others come, one after the other. */
    const int alone = used_alone(configuration, cluster);
    for (int i = 0; i < cluster->ngroups && alone < 0; i++)
        if (!cluster->groups[i].alone &&
            next_use(&configuration->use[i], &cluster->groups[i]))
            return true;
    for (int i = alone < 0 ? 0 : alone; i < cluster->ngroups; i++)
        if (cluster->groups[i].alone &&
            next_use(&configuration->use[i], &cluster->groups[i]))
            return true;
    return false;
}

bool mt_configuration_next(struct mt_configuration *configuration,
                           const struct mt_cluster *cluster)
{
    bool any = step(configuration, cluster);
    while (any && mt_configuration_forbidden(configuration, cluster))
        any = step(configuration, cluster);
    return any;
}

static int count_layouts(const struct mt_group *group, enum mt_bind bind, int threads)
{
    int count = 0;
    for (int i = 0; i < group->nlayouts; i++)
        count += group->layouts[i].bind == bind &&
                 (threads == 0 || mt_layout_threads(group->layouts[i]) == threads);
    return count;
}

/* Those that bind in that way, and whose processes have so many threads; 0: any. */
static double count_bound(const struct mt_cluster *cluster, enum mt_bind bind,
                          int threads)
{
    double mixed = 1, alone = 0;
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_group *group = &cluster->groups[i];
        const double uses = (double)group->nodes * count_layouts(group, bind, threads);
        if (group->alone)
            alone += uses;
        else
            mixed *= 1 + uses;
    }
    return mixed - 1 + alone;
}

double mt_configuration_count(const struct mt_cluster *cluster)
{
    double all = 0;
    for (int bind = 0; bind < MT_BINDS; bind++)
        for (int threads = -1;
             mt_cluster_next_threads(cluster, (enum mt_bind)bind, &threads);)
            all += count_bound(cluster, (enum mt_bind)bind, threads);
    return all;
}
