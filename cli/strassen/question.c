/* SPDX-License-Identifier: BSD-3-Clause */
#include "question.h"

#include "cli/common/command.h"
#include "cli/measure/absent.h"
#include "knowledge.h"
#include "strassen.h"

#include <stdlib.h>

enum {
    USUAL_MOST = 16,
    GREATEST_MOST =
        1024, /* a partition has at most MT_PARTITION_MAX_TILES, the square of it */
    LARGEST_EXTENT = (1 << 24) - 1 /* the app takes no larger ones */
};

/* A number that ends at `stop`; `*at` goes on behind it. */
static bool read_extent(int *extent, const char **at, char stop)
{
    char *end;
    const long value = strtol(*at, &end, 10);
    if (end == *at || *end != stop || value < 1 || value > LARGEST_EXTENT)
        return false;
    *extent = (int)value;
    *at = end + 1;
    return true;
}

static int read_product(struct mt_partition_product *product, struct mt_error *err)
{
    const char *text = mt_strassen_options.size;
    if (!text)
        return mt_fail(err, MT_EINVAL, "--size is needed");
    const char *at = text;
    if (read_extent(&product->n, &at, 0)) {
        product->m = product->k = product->n;
        return MT_OK;
    }
    at = text;
    if (read_extent(&product->m, &at, 'x') && read_extent(&product->n, &at, 'x') &&
        read_extent(&product->k, &at, 0))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "--size is a whole number from 1 to %d, or three, as "
                   "4000x4000x1000, not '%s'",
                   LARGEST_EXTENT, text);
}

static int read_options(struct mt_strassen_question *question, struct mt_error *err)
{
    int status = read_product(&question->product, err);
    question->most =
        mt_strassen_options.most != 0 ? mt_strassen_options.most : USUAL_MOST;
    if (status == MT_OK && (question->most < 1 || question->most > GREATEST_MOST))
        status = mt_fail(err, MT_EINVAL, "--most must be from 1 to %d, not %d",
                         GREATEST_MOST, question->most);
    question->any = !mt_strassen_options.partition;
    if (status == MT_OK && !question->any)
        status = mt_partition_kind_parse(&question->kind, mt_strassen_options.partition,
                                         err);
    return status;
}

/* All nodes, with the fewest processes on each. */
static void use_all(struct mt_configuration *configuration,
                    const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        if (group->nodes > 0)
            configuration->use[g] = (struct mt_use){.nodes = group->nodes,
                                                    .processes = group->processes[0]};
    }
}

static int read_configuration(struct mt_strassen_question *question,
                              struct mt_error *err)
{
    const struct mt_cluster *cluster = &question->cluster;
    struct mt_configuration *configuration = &question->configuration;
    int status = MT_OK;
    if (!mt_strassen_options.configuration)
        use_all(configuration, cluster);
    else
        status = mt_configuration_parse(configuration, cluster,
                                        mt_strassen_options.configuration, err);
    if (status == MT_OK)
        status = mt_configuration_find_nodes(configuration, cluster, err);
    if (status != MT_OK)
        return status;
    if (mt_configuration_ranks(configuration) == 0)
        return mt_fail(err, MT_EINFEASIBLE, "no node of '%s' answers", cluster->name);
    question->text = mt_configuration_format(configuration, cluster);
    return question->text ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a text");
}

/* In the order in which launchers number them. */
static int list_ranks(struct mt_strassen_question *question,
                      const struct mt_strassen_knowledge *knowledge,
                      struct mt_error *err)
{
    const struct mt_configuration *configuration = &question->configuration;
    const int ranks = mt_configuration_ranks(configuration);
    question->groups = calloc((size_t)ranks, sizeof *question->groups);
    question->speeds = calloc((size_t)ranks, sizeof *question->speeds);
    if (!question->groups || !question->speeds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    int rank = 0;
    for (int g = 0; g < question->cluster.ngroups; g++)
        for (int i = configuration->use[g].nodes * configuration->use[g].processes;
             i > 0; i--) {
            question->groups[rank] = g;
            question->speeds[rank++] = knowledge->speeds[g];
        }
    question->machine = (struct mt_partition_cluster){
        .ranks = ranks, .speeds = question->speeds, .network = knowledge->network};
    return MT_OK;
}

/* What is not known can be measured. */
static int read_knowledge(struct mt_strassen_question *question, const char *cluster,
                          struct mt_error *err)
{
    struct mt_strassen_knowledge knowledge;
    struct mt_error reason = {0};
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, &reason);
    if (status == MT_OK)
        status = mt_strassen_knowledge_read(&knowledge, store, &question->cluster,
                                            &question->configuration, &reason);
    mt_store_close(store);
    if (status == MT_ENOTFOUND)
        return mt_fail(err, status, "%s; 'motley strassen measure %s' measures it",
                       reason.text, cluster);
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    return list_ranks(question, &knowledge, err);
}

int mt_strassen_question_read(struct mt_strassen_question *question,
                              const char *cluster, struct mt_error *err)
{
    int status = read_options(question, err);
    if (status == MT_OK)
        status = mt_cluster_input(&question->cluster, cluster, err);
    if (status == MT_OK)
        status = mt_absent_leave_out_known(&question->cluster, err);
    if (status == MT_OK)
        status = read_configuration(question, err);
    return status == MT_OK ? read_knowledge(question, cluster, err) : status;
}

void mt_strassen_question_clear(struct mt_strassen_question *question)
{
    mt_cluster_clear(&question->cluster);
    free(question->text);
    free(question->groups);
    free(question->speeds);
    *question = (struct mt_strassen_question){.most = 0};
}

double mt_strassen_flops(const struct mt_strassen_question *question, double seconds)
{
    const struct mt_partition_product *product = &question->product;
    return 2.0 * product->m * product->n * product->k / seconds;
}
