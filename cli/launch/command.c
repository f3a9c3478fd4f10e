/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher whose command line the cluster file gives. */
#include "launcher.h"
#include "lib/input/internal.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "places.h"

#include <stdlib.h>
#include <string.h>

static void write_hostfile(const struct mt_launch *launch, FILE *stream)
{
    mt_write_hosts(launch, ":", stream);
}

/* "host:2,host:1", as the hostfile has them. The caller frees it. */
static char *format_hosts(const struct mt_launch *launch)
{
    char *text;
    size_t length;
    FILE *stream = mt_memory_open(&text, &length);
    mt_write_hosts(launch, ":", stream);
    mt_memory_close(stream, &text);
    for (char *at = text; at < text + length; at++)
        if (*at == '\n')
            *at = at + 1 < text + length ? ',' : 0;
    return text;
}

/* The template's words; "{program}" is all words of the program's command. */
static int fill_template(char *const *template, const struct mt_placeholder *list,
                         char *const *program, struct mt_job *job, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && template[i]; i++) {
        if (!strcmp(template[i], "{program}"))
            mt_words_append(&job->argv, program);
        else
            status = mt_argv_fill(&job->argv, template[i], list, err);
    }
    return status;
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    char *const *template = launch->cluster->launch;
    char *found = strcmp(template[0], "{program}") != 0 ? mt_find_on_path(template[0])
                                                        : mt_strdup(command[0]);
    if (!found)
        return mt_fail(err, MT_ENOTFOUND, "'%s' of launcher 'command' is not installed",
                       template[0]);
    free(found);
    struct mt_rank_block blocks[MT_MAX_GROUPS];
    if (mt_rank_blocks(blocks, launch) > 1)
        return mt_fail(
            err, MT_EINVAL,
            "launcher 'command' has one number of threads and of GPUs for all "
            "ranks, not %d and %d threads, %d and %d GPUs",
            blocks[0].threads, blocks[1].threads, blocks[0].gpus, blocks[1].gpus);

    char *hosts = format_hosts(launch);
    char ranks[16], threads[16];
    snprintf(ranks, sizeof ranks, "%d", mt_configuration_ranks(launch->configuration));
    snprintf(threads, sizeof threads, "%d", blocks[0].threads);
    const struct mt_placeholder list[] = {{"{P}", ranks},
                                          {"{threads}", threads},
                                          {"{hostfile}", hostfile},
                                          {"{hosts}", hosts},
                                          {NULL, NULL}};
    char **started = NULL;
    int status = mt_add_program(&started, launch, &blocks[0], command, err);
    if (status == MT_OK)
        status = fill_template(template, list, started, job, err);
    mt_argv_free(started);
    mt_words_append(&job->env, job->settings);
    if (mt_tells_threads(launch))
        mt_words_add(&job->env, "OMP_NUM_THREADS=%s", threads);
    free(hosts);
    return status;
}

const struct mt_launcher_ops mt_launcher_command = {
    .name = "command",
    .write_hostfile = write_hostfile,
    .build = build,
};
