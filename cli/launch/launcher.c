/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds launchers and programs, and tells whether ranks share cores. */
#include "launcher.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "lib/base/cores.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct mt_launcher_ops *mt_launcher_find(enum mt_launcher launcher)
{
    static const struct mt_launcher_ops *const launchers[] = {
#define X(launcher, name) [launcher] = &mt_launcher_##name,
        MT_LAUNCHER_LIST(X)
#undef X
    };
    return launchers[launcher];
}

const char *mt_slurm_mpi(const struct mt_cluster *cluster)
{
    return cluster->mpi ? cluster->mpi : getenv("SLURM_MPI_TYPE");
}

const struct mt_launcher_ops *mt_launcher_of(const struct mt_cluster *cluster)
{
    const char *mpi = mt_slurm_mpi(cluster);
    return cluster->launcher == MT_LAUNCH_SLURM && mpi && strncmp(mpi, "pmix", 4) == 0
               ? &mt_launcher_slurm_pmix
               : mt_launcher_find(cluster->launcher);
}

void mt_write_hosts(const struct mt_launch *launch, const char *between, FILE *stream)
{
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use use = launch->configuration->use[g];
        for (int i = 0; i < use.nodes; i++)
            fprintf(stream, "%s%s%d\n", launch->cluster->groups[g].hosts[i], between,
                    use.layout.processes);
    }
}

/* What `PATH --version` prints, to be freed; NULL: nothing. */
static char *version_of(char *path)
{
    char version[] = "--version";
    char *const argv[] = {path, version, NULL};
    struct mt_process *process = mt_calloc(1, sizeof *process);
    int interrupted = 0;
    process->argv = argv;
    process->timeout = 10;
    const int status = mt_process_run(process, &interrupted, NULL);
    char *text = status == MT_OK ? mt_output_text(&process->output) : NULL;
    free(process);
    if (interrupted)
        raise(interrupted); /* nothing runs yet: handled like a signal that arrives
                               now */
    return text;
}

static char *first_with_mark(const struct mt_launcher_ops *launcher)
{
    for (int i = 0; launcher->executables[i]; i++) {
        char *path = mt_find_tool(launcher->executables[i]);
        char *text = path && launcher->version_mark ? version_of(path) : NULL;
        const bool fits =
            path && (!launcher->version_mark ||
                     (text && strstr(text, launcher->version_mark) != NULL));
        free(text);
        if (fits)
            return path;
        free(path);
    }
    return NULL;
}

int mt_find_launcher(char **path, const struct mt_launcher_ops *launcher,
                     struct mt_error *err)
{
    /* A cache: asking for the version costs as much as a short run. */
    static const struct mt_launcher_ops *known;
    static char known_path[PATH_MAX];

    if (known != launcher) {
        char *found = first_with_mark(launcher);
        if (!found)
            return mt_fail(err, MT_ENOTFOUND,
                           "'%s' of launcher '%s' is not installed; on Debian: apt "
                           "install %s",
                           launcher->executables[0], launcher->name, launcher->package);
        snprintf(known_path, sizeof known_path, "%s", found);
        known = launcher;
        free(found);
    }
    *path = mt_strdup(known_path);
    return MT_OK;
}

int mt_mpich_version(void)
{
    static int known = -1;
    if (known < 0) {
        int major = 0, minor = 0;
        char *path = first_with_mark(&mt_launcher_mpich);
        char *text = path ? version_of(path) : NULL;
        const char *version = text ? strstr(text, "Version:") : NULL;
        const bool read =
            version && sscanf(version, "Version: %d.%d", &major, &minor) == 2;
        known = read ? 100 * major + minor : 0;
        free(text);
        free(path);
    }
    return known;
}

/* Up to version 4 all of Open MPI's launchers are links to this one. */
static bool is_orterun(const char *path)
{
    char *target = realpath(path, NULL);
    const bool is = target && strcmp(basename(target), "orterun") == 0;
    free(target);
    return is;
}

const char *mt_mpi_of_launcher(char *path)
{
    const char *name = basename(path), *mpi = NULL;
    if (strcmp(name, "srun") == 0)
        return mt_launcher_find(MT_LAUNCH_SLURM)->apps;
    if (strncmp(name, "mpirun", 6) != 0 && strncmp(name, "mpiexec", 7) != 0)
        return NULL;
    if (is_orterun(path))
        return mt_launcher_openmpi.apps;
    char *text = version_of(path);
    if (text && strstr(text, mt_launcher_openmpi.version_mark))
        mpi = mt_launcher_openmpi.apps;
    else if (text && strstr(text, mt_launcher_mpich.version_mark))
        mpi = mt_launcher_mpich.apps;
    free(text);
    return mpi;
}

/* If the launcher implies no MPI, the user chooses one by PATH. */
static int find_own(char **path, const char *name,
                    const struct mt_launcher_ops *launcher, struct mt_error *err)
{
    *path = launcher->apps ? mt_own_app(launcher->apps, name) : mt_find_tool(name);
    if (*path)
        return MT_OK;
    return launcher->apps
               ? mt_fail(err, MT_ENOTFOUND,
                         "motley's own '%s' for %s is missing: install or build motley "
                         "where that is installed",
                         name, launcher->apps)
               : mt_fail(err, MT_ENOTFOUND,
                         "launcher '%s' does not tell of an MPI: put the folder of the "
                         "'%s' that comes with motley for it on PATH",
                         launcher->name, name);
}

/* Why the file cannot be the program; NULL if it can. */
static const char *why_no_program(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return NULL;
    return S_ISDIR(info.st_mode)   ? "is a folder"
           : S_ISREG(info.st_mode) ? "is not executable"
                                   : "is not a regular file";
}

int mt_find_program(char **path, const char *name, const struct mt_program *program,
                    const struct mt_launcher_ops *launcher, struct mt_error *err)
{
    const bool is_path = strchr(name, '/');
    const char *slash = program->path ? strrchr(program->path, '/') : NULL;
    const int length = slash ? (int)(slash - program->path) : 1;
    const char *folder = slash ? program->path : ".";
    if (!is_path && !program->path)
        return find_own(path, name, launcher, err);
    char *found = is_path ? NULL : mt_find_in(folder, (size_t)length, name);
    if (!found && !is_path && launcher->apps)
        found = mt_own_app(launcher->apps, name);
    if (!found)
        found = mt_find_on_path(name);
    if (found) {
        *path = found;
        return MT_OK;
    }
    char *there =
        is_path ? mt_strdup(name) : mt_asprintf("%.*s/%s", length, folder, name);
    const char *why = why_no_program(there);
    int status;
    if (why)
        status = mt_fail(err, MT_ENOTFOUND, "program '%s': '%s' %s", program->name,
                         there, why);
    else if (is_path)
        status =
            mt_fail(err, MT_ENOTFOUND, "program '%s': no such executable file: '%s'",
                    program->name, name);
    else
        status = mt_fail(
            err, MT_ENOTFOUND, "program '%s': '%s' is not in '%.*s', %s%s%snor on PATH",
            program->name, name, length, folder,
            launcher->apps ? "not among motley's own apps for " : "",
            launcher->apps ? launcher->apps : "", launcher->apps ? ", " : "");
    free(there);
    return status;
}

static bool is_group_oversubscribed(const struct mt_group *group, struct mt_use use)
{
    const int wanted = mt_layout_cores(use.layout);
    if (group->cores > 0)
        return use.nodes > 0 && wanted > group->cores;
    return wanted > mt_cores_here() && mt_any_is_this_host(group->hosts, use.nodes);
}

bool mt_oversubscribed(const struct mt_cluster *cluster,
                       const struct mt_configuration *configuration)
{
    for (int g = 0; g < cluster->ngroups; g++)
        if (is_group_oversubscribed(&cluster->groups[g], configuration->use[g]))
            return true;
    return false;
}
