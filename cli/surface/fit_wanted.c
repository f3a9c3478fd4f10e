/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "lib/base/argv.h"

#include <stdlib.h>
#include <string.h>

int mt_surface_fit_most_ranks(const struct mt_surface_fit *fit)
{
    const struct mt_group *group = &fit->inputs.cluster.groups[fit->runs.group];
    int most = 1;
    for (int i = 0; i < group->nprocesses; i++) {
        if (group->processes[i] <= fit->runs.processes && group->processes[i] > most)
            most = group->processes[i];
    }
    return most * group->nodes;
}

struct mt_use mt_surface_fit_find_use(const struct mt_surface_fit *fit, int ranks)
{
    const struct mt_group *group = &fit->inputs.cluster.groups[fit->runs.group];
    for (int i = 0; i < group->nprocesses; i++) {
        const int processes = group->processes[i];
        if (processes <= fit->runs.processes && ranks % processes == 0 &&
            ranks / processes <= group->nodes)
            return (struct mt_use){.nodes = ranks / processes, .processes = processes};
    }
    return (struct mt_use){0};
}

/* "512,1024": the sizes that are wanted on so many ranks. NULL: memory is short. */
static char *list_sizes(const struct mt_learned *learned, int ranks)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    const char *separator = "";
    for (int i = 0; i < learned->nwanted; i++) {
        if (learned->wanted[i].ranks != ranks)
            continue;
        fprintf(stream, "%s%.15g", separator, learned->wanted[i].size);
        separator = ",";
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static int add_command(struct mt_surface_fit *fit, int ranks, struct mt_error *err)
{
    const struct mt_group *group = &fit->inputs.cluster.groups[fit->runs.group];
    const bool usual_store = !strcmp(mt_common.db, "motley.db");
    const struct mt_use use = mt_surface_fit_find_use(fit, ranks);
    if (!use.nodes)
        return MT_OK;
    char *sizes = list_sizes(&fit->learned, ranks);
    if (!sizes)
        return mt_fail(err, MT_ENOMEM, "no memory for a command");
    int status = mt_argv_add(
        &fit->measure, err,
        "motley measure%s%s --configurations %s:%dx%d --sizes %s %s %s",
        usual_store ? "" : " --db ", usual_store ? "" : mt_common.db, group->name,
        use.nodes, use.processes, sizes, fit->arguments[0], fit->arguments[1]);
    free(sizes);
    return status;
}

static bool is_first_of_ranks(const struct mt_learned *learned, int i)
{
    for (int j = 0; j < i; j++)
        if (learned->wanted[j].ranks == learned->wanted[i].ranks)
            return false;
    return true;
}

int mt_surface_fit_wanted(struct mt_surface_fit *fit, struct mt_error *err)
{
    const struct mt_learned *learned = &fit->learned;
    int status = MT_OK;
    for (int i = 0; i < learned->nwanted && status == MT_OK; i++)
        if (is_first_of_ranks(learned, i))
            status = add_command(fit, learned->wanted[i].ranks, err);
    return status;
}
