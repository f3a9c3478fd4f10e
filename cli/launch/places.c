/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads, GPUs and cores of a launch's ranks. */
#include "places.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/input/internal.h"

#include <stdlib.h>
#include <string.h>

int mt_rank_blocks(struct mt_rank_block blocks[MT_MAX_GROUPS],
                   const struct mt_launch *launch)
{
    int count = 0;
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use use = launch->configuration->use[g];
        const int threads = mt_layout_threads(use.layout);
        if (use.nodes == 0)
            continue;
        if (count == 0 || blocks[count - 1].threads != threads ||
            blocks[count - 1].gpus != use.layout.gpus)
            blocks[count++] =
                (struct mt_rank_block){.threads = threads, .gpus = use.layout.gpus};
        blocks[count - 1].ranks += use.nodes * use.layout.processes;
    }
    return count;
}

bool mt_tells_threads(const struct mt_launch *launch)
{
    return launch->program->nthreads > 0 ||
           mt_configuration_has_threads(launch->configuration);
}

bool mt_tells_gpus(const struct mt_launch *launch)
{
    bool any = launch->program->ngpus > 0;
    for (int g = 0; g < launch->cluster->ngroups; g++)
        any = any || launch->configuration->use[g].layout.gpus > 0;
    return any;
}

void mt_add_count(struct mt_job *job, const char *option, int ranks)
{
    mt_words_add(&job->argv, "%s", option);
    mt_words_add(&job->argv, "%d", ranks);
}

int mt_add_program(char ***argv, const struct mt_launch *launch,
                   const struct mt_rank_block *block, char *const *command,
                   struct mt_error *err)
{
    if (mt_tells_gpus(launch)) {
        char *helper = mt_own_tool("gpus", "motley-gpus");
        if (!helper)
            return mt_own_missing("motley-gpus", err);
        mt_words_add(argv, "%s", helper);
        mt_words_add(argv, "%d", block->gpus);
        free(helper);
    }
    mt_words_append(argv, command);
    return MT_OK;
}

enum mt_bind mt_asked_bind(const struct mt_launch *launch)
{
    enum mt_bind bind = MT_BIND_DEFAULT;
    for (int g = 0; g < launch->cluster->ngroups; g++)
        if (launch->configuration->use[g].nodes > 0)
            bind = launch->configuration->use[g].layout.bind;
    return bind;
}

enum mt_bind mt_launch_bind(const struct mt_launch *launch)
{
    return launch->unbound || mt_cluster_is_testbed(launch->cluster) ||
                   mt_oversubscribed(launch->cluster, launch->configuration)
               ? MT_BIND_NONE
               : mt_asked_bind(launch);
}

bool mt_uses_hyperthreads(const struct mt_launch *launch)
{
    bool any = false;
    for (int g = 0; g < launch->cluster->ngroups; g++)
        any = any || (launch->configuration->use[g].nodes > 0 &&
                      launch->cluster->groups[g].hyperthreads);
    return any;
}
