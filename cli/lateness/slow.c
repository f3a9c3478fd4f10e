/* SPDX-License-Identifier: BSD-3-Clause */
#include "slow.h"

#include "cli/common/format.h"
#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/store/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is less may be chance. */
static const double worth_saying = 0.1;

/* MPIs name nodes with their domains or without. */
static bool is_same_node(const char *a, const char *b)
{
    const size_t length = mt_text_short_host(a);
    return length == mt_text_short_host(b) && strncmp(a, b, length) == 0;
}

/* The time between its calls, on average over its ranks; negative: it has none. */
static double work_of(const char *host, const struct mt_report *report)
{
    double work = 0;
    int ranks = 0;
    for (int i = 0; i < report->nranks; i++)
        if (is_same_node(report->ranks[i].node, host)) {
            work += report->rank_seconds / report->size - report->ranks[i].seconds;
            ranks++;
        }
    return ranks > 0 ? work / ranks : -1;
}

static bool find_in_group(struct mt_slow_node *slow, const struct mt_report *report,
                          const struct mt_group *group)
{
    double *work = calloc((size_t)group->nodes + 1, sizeof *work);
    int nodes = 0;
    const char *host = NULL;
    double most = 0;
    for (int i = 0; work && i < group->nodes; i++) {
        const double here = work_of(group->hosts[i], report);
        if (here > most) {
            most = here;
            host = group->hosts[i];
        }
        if (here > 0)
            work[nodes++] = here;
    }
    if (nodes > 1)
        qsort(work, (size_t)nodes, sizeof *work, mt_compare_doubles);
    const double usual = nodes > 1 ? work[(nodes - 1) / 2] : most;
    free(work);
    if (!host || most / usual - 1 <= slow->extra)
        return false;
    *slow = (struct mt_slow_node){host, group->name, most / usual - 1};
    return true;
}

bool mt_slow_node_find(struct mt_slow_node *slow, const struct mt_report *report,
                       const struct mt_cluster *cluster)
{
    struct mt_slow_node slowest = {.extra = worth_saying};
    bool found = false;
    if (!strcmp(report->verdict, "cores"))
        return false;
    for (int g = 0; g < cluster->ngroups; g++)
        found |= find_in_group(&slowest, report, &cluster->groups[g]);
    if (found)
        *slow = slowest;
    return found;
}

static void print(FILE *stream, const struct mt_cluster *cluster,
                  const struct mt_lateness *lateness, const char *hint)
{
    struct mt_report report = {0};
    struct mt_slow_node slow;
    char date[MT_QUANTITY_TEXT];
    if (mt_report_parse(&report, lateness->report, NULL) == MT_OK &&
        mt_slow_node_find(&slow, &report, cluster))
        fprintf(stream,
                "on %s (%s UTC) node %s took %.0f %% longer between its calls than the "
                "others of '%s'%s\n",
                lateness->configuration, mt_format_date(date, lateness->started),
                slow.host, 100 * slow.extra, slow.group, hint);
    mt_report_clear(&report);
}

void mt_slow_node_print(const struct mt_cluster *cluster, const char *program,
                        const char *store_path, const char *hint, FILE *stream)
{
    struct mt_store *store = NULL;
    struct mt_lateness_list newest = {0};
    const struct mt_run_filter filter = {
        .cluster = cluster->name, .program = program, .newest = 1};
    if (mt_store_open(&store, store_path, MT_STORE_READ, NULL) == MT_OK &&
        mt_store_latenesses(store, &newest, &filter, NULL) == MT_OK && newest.count > 0)
        print(stream, cluster, &newest.all[0], hint);
    mt_lateness_list_clear(&newest);
    mt_store_close(store);
}
