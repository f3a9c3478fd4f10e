/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include "cli/process/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins(const char *variable, const char *prefix)
{
    return strncmp(variable, prefix, strlen(prefix)) == 0;
}

/* Whether it is the variable of that name, as "NAME=VALUE". */
static bool is_named(const char *variable, const char *name)
{
    return begins(variable, name) && variable[strlen(name)] == '=';
}

static bool is_one_of(const char *variable, const char *const *names)
{
    for (; *names; names++)
        if (is_named(variable, *names))
            return true;
    return false;
}

char **mt_environment_without(const char *prefix)
{
    char **env = NULL;
    for (char **variable = environ; *variable; variable++)
        if (!begins(*variable, prefix))
            mt_words_add(&env, "%s", *variable);
    return env;
}

/* Whether a group that is used asks for what the variable would. */
static bool is_requested(const char *variable, const struct mt_launch *launch)
{
    static const struct {
        const char *name;
        size_t member;
    } requests[] = {
        {"SBATCH_PARTITION", offsetof(struct mt_slurm_request, partition)},
        {"SBATCH_ACCOUNT", offsetof(struct mt_slurm_request, account)},
        {"SBATCH_QOS", offsetof(struct mt_slurm_request, qos)},
        {"SBATCH_CONSTRAINT", offsetof(struct mt_slurm_request, constraint)},
        {"SBATCH_GRES", offsetof(struct mt_slurm_request, gres)}};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (!is_named(variable, requests[i].name))
            continue;
        for (int g = 0; g < launch->cluster->ngroups; g++) {
            const char *request = (const char *)&launch->cluster->groups[g].slurm;
            if (launch->configuration->use[g].nodes > 0 &&
                *(char *const *)(const void *)(request + requests[i].member))
                return true;
        }
    }
    return false;
}

/* Of an array there would be several jobs, of another cluster none that is seen; errors
   would be missing in the output, and sbatch would wait for the job itself. */
static bool is_in_the_way(const char *variable)
{
    static const char *const names[] = {"SBATCH_ARRAY_INX", "SBATCH_CLUSTERS",
                                        "SBATCH_ERROR", "SBATCH_WAIT", NULL};
    return is_one_of(variable, names);
}

/* Who hands in the script without motley may want what is in motley's way. */
static bool is_left_out(const char *variable, const struct mt_script *script)
{
    return is_named(variable, "SBATCH_EXCLUSIVE") ||
           (is_named(variable, "SBATCH_TIMELIMIT") && isfinite(script->seconds)) ||
           is_requested(variable, script->launch) ||
           (script->record && is_in_the_way(variable));
}

/* What Slurm says of the job around motley, which the new one would take for its own.
 */
static bool is_of_outer_job(const char *variable)
{
    static const char *const settings[] = {"SLURM_CLUSTERS",    "SLURM_CONF",
                                           "SLURM_CONF_SERVER", "SLURM_JWT",
                                           "SLURM_MPI_TYPE",    NULL};
    return getenv("SLURM_JOB_ID") && begins(variable, "SLURM_") &&
           !is_one_of(variable, settings);
}

char **mt_environment_of_sbatch(const struct mt_script *script)
{
    char **env = NULL;
    for (char **variable = environ; *variable; variable++)
        if (!is_left_out(*variable, script) && !is_of_outer_job(*variable))
            mt_words_add(&env, "%s", *variable);
    return env;
}

char *mt_environment_left_out(const struct mt_script *script)
{
    char *text = NULL;
    for (char **variable = environ; *variable; variable++) {
        if (!is_left_out(*variable, script))
            continue;
        const int length = (int)strcspn(*variable, "=");
        char *longer = mt_asprintf("%s%s%.*s", text ? text : "", text ? ", " : "",
                                   length, *variable);
        free(text);
        text = longer;
    }
    return text;
}
