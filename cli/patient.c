/* SPDX-License-Identifier: BSD-3-Clause */
/* motley patient: runs any command, and lets waiting ranks of its MPI programs yield
   their cores. */
#include "cli/common/command.h"
#include "cli/launch/launcher.h"
#include "cli/launch/preload.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command's own words end before the first that is not an option. */
static int count_own(const char **words)
{
    int n = 1;
    while (words[n] && words[n][0] == '-')
        n++;
    return n;
}

/* Settings for more ranks than cores, which Open MPI otherwise refuses: the first up to
   version 4, the second from 5 on. */
static void set_environment(const char *libraries)
{
    mt_need_ok(setenv("LD_PRELOAD", libraries, 1));
    mt_need_ok(setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1));
    mt_need_ok(setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1));
}

/* The LIST in a word of the command that sets LD_PRELOAD for the ranks, as "-x
   LD_PRELOAD=LIST", "env LD_PRELOAD=LIST", "--export=ALL,LD_PRELOAD=LIST" or "-genv
   LD_PRELOAD LIST"; NULL: none. */
static const char *find_list(char *const *words, int i)
{
    static const char name[] = "LD_PRELOAD=";
    const char *at = strstr(words[i], name);
    const char *before = i > 1 ? words[i - 1] : "";
    const bool may_set = !strcmp(before, "-x") || !strcmp(before, "env") ||
                         (i > 2 && strchr(before, '='));
    if (at && at == words[i] && may_set)
        return at + strlen(name);
    if (at && !strncmp(words[i], "--export=", strlen("--export=")))
        return at + strlen(name);
    const bool is_value =
        i > 1 && strcmp(words[i - 1], "LD_PRELOAD") == 0 &&
        (strcmp(words[i - 2], "-genv") == 0 || strcmp(words[i - 2], "-env") == 0);
    return is_value ? words[i] : NULL;
}

/* The word, with our libraries before those of its list; libmotley-balance only once.
 */
static int add_word(char ***argv, char *const *words, int i, const char *libraries,
                    struct mt_error *err)
{
    const char *list = find_list(words, i);
    if (!list)
        return mt_argv_add_word(argv, words[i], err);
    const size_t ours = strstr(list, "libmotley-balance.so") ? strcspn(libraries, ":")
                                                             : strlen(libraries);
    mt_words_add(argv, "%.*s%.*s%s%s", (int)(list - words[i]), words[i], (int)ours,
                 libraries, *list ? ":" : "", list);
    return MT_OK;
}

/* Open MPI's launcher passes only listed variables on to other nodes, each listed
   once. */
static void hand_on(char ***argv, const char *name)
{
    const size_t length = strlen(name);
    char *const *words = mt_common.rest;
    for (int i = 1; words[i] && words[i + 1]; i++)
        if (!strcmp(words[i], "-x") && !strncmp(words[i + 1], name, length) &&
            strchr("=", words[i + 1][length]))
            return;
    if (getenv(name))
        mt_words_add_all(argv, "-x", name, NULL);
}

static int make_words(char ***argv, const char *mpi, const char *libraries,
                      struct mt_error *err)
{
    static const char *const names[] = {"LD_PRELOAD", "MOTLEY_BALANCE",
                                        "MOTLEY_PATIENT", NULL};
    int status = mt_argv_add_word(argv, mt_common.rest[0], err);
    for (int i = 0; mpi && !strcmp(mpi, "openmpi") && names[i] && status == MT_OK; i++)
        hand_on(argv, names[i]);
    for (int i = 1; mt_common.rest[i] && status == MT_OK; i++)
        status = add_word(argv, mt_common.rest, i, libraries, err);
    return status;
}

static int start(char *path, const char *mpi, const char *libraries,
                 struct mt_error *err)
{
    char **argv = NULL;
    set_environment(libraries);
    int status = make_words(&argv, mpi, libraries, err);
    if (status == MT_OK) {
        fprintf(stderr,
                "motley: ranks that wait leave their cores to others (LD_PRELOAD=%s), "
                "and there may be more ranks than cores\n",
                libraries);
        execv(path, argv);
        status = mt_fail(err, MT_EINVAL, "cannot run '%s': %s", path, strerror(errno));
    }
    mt_argv_free(argv);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    (void)arguments;
    const char *name = mt_common.rest[0];
    char *libraries = NULL;
    if (!name)
        return mt_exit_status(
            mt_fail(err, MT_EINVAL,
                    "no command to run, as in 'motley patient mpiexec -n 8 ./tests'"));
    char *path = mt_find_on_path(name);
    const char *mpi = path ? mt_mpi_of_launcher(path) : NULL;
    int status = path ? mt_preload_patient(&libraries, mpi, err)
                      : mt_fail(err, MT_EINVAL, "cannot run '%s': not found", name);
    if (status == MT_OK)
        status = start(path, mpi, libraries, err);
    free(libraries);
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
