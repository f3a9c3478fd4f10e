/* SPDX-License-Identifier: BSD-3-Clause */
/* Cluster files. They are written as SimGrid's platform, and configurations of the
   cluster stay the same when written and read again. */
#include "cli/launch/launcher.h"
#include "cli/launch/smpi/platform.h"
#include "fuzz.h"
#include "lib/input/internal.h"

#include <stdlib.h>

enum { MOST_CONFIGURATIONS = 50, MOST_NODES = 300 };

static void check_configuration(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster)
{
    struct mt_configuration again;
    char *text = mt_configuration_format(configuration, cluster);
    fuzz_demand(mt_configuration_parse(&again, cluster, text, NULL) == MT_OK);
    fuzz_demand(mt_configuration_equal(configuration, &again));
    free(text);
}

static void write_platform(const struct mt_configuration *configuration,
                           const struct mt_cluster *cluster)
{
    const struct mt_program program = {.name = (char[]){"program"}};
    const struct mt_launch launch = {.cluster = cluster,
                                     .program = &program,
                                     .configuration = configuration,
                                     .size = 100};
    struct fuzz_page page = {0};
    fuzz_page_open(&page);
    mt_platform_write(&launch, page.stream);
    fuzz_page_close(&page);
    fuzz_page_clear(&page);
}

static void use(struct mt_cluster *cluster)
{
    struct mt_configuration configuration = {0};
    int count = 0, nodes = 0;
    while (count < MOST_CONFIGURATIONS &&
           mt_configuration_next(&configuration, cluster)) {
        count++;
        check_configuration(&configuration, cluster);
    }
    fuzz_demand(mt_configuration_count(cluster) >= count);
    for (int g = 0; g < cluster->ngroups; g++)
        nodes += cluster->groups[g].nodes;
    if (count > 0 && nodes < MOST_NODES && mt_cluster_simulated(cluster))
        write_platform(&configuration, cluster);
    struct mt_group *first = &cluster->groups[0];
    fuzz_demand(mt_cluster_group_of(cluster, first->hosts[0]) == 0);
    fuzz_demand(mt_cluster_leave_out(cluster, first->hosts[0]));
    fuzz_demand(!mt_cluster_leave_out(cluster, first->hosts[first->nodes]));
    fuzz_demand(mt_cluster_find_group(cluster, first->name) == 0);
}

void fuzz_begin(void)
{
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_cluster cluster = {0};
    struct mt_error err;
    if (mt_cluster_load(&cluster, fuzz_file(data, size), &err) == MT_OK)
        use(&cluster);
    mt_cluster_clear(&cluster);
}
