/* SPDX-License-Identifier: BSD-3-Clause */
/* motley patient: any command, whose MPI programs leave their cores to each other. */
#include "cli/common/command.h"
#include "cli/launch/launcher.h"
#include "cli/launch/preload.h"
#include "cli/process/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command's own words end before the first that is no option. */
static int count_own(const char **words)
{
    int n = 1;
    while (words[n] && words[n][0] == '-')
        n++;
    return n;
}

/* What more ranks than cores need. Open MPI refuses them unless it is told not to: by
   the first up to version 4, by the second from 5 on. */
static int set_environment(const char *library)
{
    int failed = setenv("LD_PRELOAD", library, 1);
    failed |= setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    failed |= setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
    return failed;
}

/* The command's words: Open MPI's launcher hands nothing of its environment on to other
   nodes by itself. */
static char **words_of(char *path, char *const *rest)
{
    int n = 0, to = 0;
    while (rest[n])
        n++;
    char **words = calloc((size_t)n + 3, sizeof *words);
    static char option[] = "-x", name[] = "LD_PRELOAD";
    if (!words)
        return NULL;
    words[to++] = rest[0];
    if (mt_is_openmpi(path)) {
        words[to++] = option;
        words[to++] = name;
    }
    for (int i = 1; i < n; i++)
        words[to++] = rest[i];
    return words;
}

static int start(char *path, const char *library, struct mt_error *err)
{
    char **words = words_of(path, mt_common.rest);
    if (!words || set_environment(library) != 0) {
        free(words);
        return mt_fail(err, MT_ENOMEM, "no memory for the environment");
    }
    fprintf(stderr,
            "motley: ranks that wait leave their cores to others (LD_PRELOAD=%s), and "
            "there may be more ranks than cores\n",
            library);
    execv(path, words);
    free(words);
    return mt_fail(err, MT_EINVAL, "cannot run '%s': %s", path, strerror(errno));
}

static int run(const char **arguments, struct mt_error *err)
{
    (void)arguments;
    const char *name = mt_common.rest[0];
    char *library = NULL;
    if (!name)
        return mt_exit_status(
            mt_fail(err, MT_EINVAL,
                    "no command to run, as in 'motley patient mpiexec "
                    "-n 8 ./tests'"));
    char *path = mt_find_on_path(name);
    int status = path ? mt_preload_patient(&library, err)
                      : mt_fail(err, MT_EINVAL, "there is no '%s' to run", name);
    if (status == MT_OK)
        status = start(path, library, err);
    free(library);
    free(path);
    return mt_exit_status(status);
}

static const struct poptOption options[] = {POPT_TABLEEND};

const struct mt_command mt_command_patient = {
    .name = "patient",
    .arguments = "COMMAND [ARGUMENT...]",
    .summary = "Let ranks that wait leave their cores to others",
    .options = options,
    .run = run,
    .count_own = count_own,
};
