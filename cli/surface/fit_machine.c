/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "surface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A machine has equal nodes: of a cluster of several groups it is one of them. */
static char *make_name(const struct mt_surface_fit *fit)
{
    const struct mt_cluster *cluster = &fit->inputs.cluster;
    char *name;
    int length = cluster->ngroups > 1 ? asprintf(&name, "%s-%s", cluster->name,
                                                 cluster->groups[fit->runs.group].name)
                                      : asprintf(&name, "%s", cluster->name);
    return length < 0 ? NULL : name;
}

int mt_surface_fit_read(struct mt_surface_fit *fit, struct mt_error *err)
{
    const char *path = mt_surface_options.output;
    if (!path || access(path, F_OK) != 0)
        return MT_OK;
    /* It is replaced as a whole, for which its folder alone must be writable. */
    if (access(path, W_OK) != 0)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    int status = mt_machine_load(&fit->machine, path, err);
    if (status != MT_OK)
        return mt_fail(err, status, "--output: what is there is left as it is: %s",
                       err->text);
    return MT_OK;
}

/* Whether the file that is there already is of this machine. */
static int check_machine(const struct mt_machine *machine, const char *name,
                         bool simulated, struct mt_error *err)
{
    if (strcmp(machine->name, name) != 0)
        return mt_fail(err, MT_EINVAL,
                       "'%s' is of machine '%s', not of '%s': it is left as it is",
                       machine->path, machine->name, name);
    if (machine->simulated != simulated)
        return mt_fail(err, MT_EINVAL,
                       "'%s' is of a %s machine '%s': it is left as it is",
                       machine->path, machine->simulated ? "simulated" : "real", name);
    return MT_OK;
}

static int begin_machine(struct mt_surface_fit *fit, struct mt_error *err)
{
    const struct mt_cluster *cluster = &fit->inputs.cluster;
    const struct mt_group *group = &cluster->groups[fit->runs.group];
    struct mt_machine *machine = &fit->machine;
    const bool simulated = mt_cluster_simulated(cluster);
    char *name = make_name(fit);
    if (!name)
        return mt_fail(err, MT_ENOMEM, "no memory for a machine");
    if (machine->name) {
        int status = check_machine(machine, name, simulated, err);
        free(name);
        return status;
    }
    /* A node of a machine is a process: nodes with several count as so many. */
    machine->name = name;
    machine->simulated = simulated;
    machine->nodes = group->nodes * fit->runs.processes;
    machine->memory = group->memory / fit->runs.processes;
    return MT_OK;
}

/* The algorithm of that name, new and empty, or the place of what it replaces. NULL:
   memory is short. */
static struct mt_algorithm *make_place(struct mt_machine *machine, const char *name)
{
    for (int i = 0; i < machine->nalgorithms; i++) {
        struct mt_algorithm *old = &machine->algorithms[i];
        if (strcmp(old->name, name) != 0)
            continue;
        mt_shape_clear(&old->shape);
        return old;
    }
    struct mt_algorithm *more =
        realloc(machine->algorithms, ((size_t)machine->nalgorithms + 1) * sizeof *more);
    char *copy = strdup(name);
    if (more)
        machine->algorithms = more;
    if (!more || !copy) {
        free(copy);
        return NULL;
    }
    struct mt_algorithm *place = &more[machine->nalgorithms++];
    *place = (struct mt_algorithm){.name = copy};
    return place;
}

int mt_surface_fit_add(struct mt_surface_fit *fit, struct mt_error *err)
{
    const struct mt_program *program = &fit->inputs.program;
    int status = begin_machine(fit, err);
    if (status != MT_OK)
        return status;
    struct mt_algorithm *algorithm = make_place(&fit->machine, program->name);
    if (!algorithm)
        return mt_fail(err, MT_ENOMEM, "no memory for an algorithm");
    algorithm->components = fit->learned.components;
    algorithm->learned = fit->learned.from;
    return mt_shape_copy(&algorithm->shape, &program->shape, err);
}

/* mkstemp() makes files that nobody else may read. */
static void set_usual_mode(int descriptor, const char *path)
{
    struct stat old;
    const mode_t mask = umask(0);
    umask(mask);
    const mode_t mode = stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
    if (fchmod(descriptor, mode) != 0)
        return; /* it can be read by its owner at least */
}

/* Write the machine into the open file, and read it again as a check. */
static int write_checked(const struct mt_machine *machine, FILE *stream,
                         const char *path, struct mt_error *err)
{
    struct mt_machine again = {0};
    int status = mt_machine_write(machine, stream, err);
    if (fclose(stream) != 0 && status == MT_OK)
        status = mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    if (status == MT_OK)
        status = mt_machine_load(&again, path, err);
    mt_machine_clear(&again);
    return status;
}

int mt_surface_fit_write(const struct mt_surface_fit *fit, struct mt_error *err)
{
    const char *path = mt_surface_options.output;
    char *temporary;
    if (!path)
        return MT_OK;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    int status = MT_OK, descriptor = mkstemp(temporary);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!stream) {
        status = mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
        goto done;
    }
    set_usual_mode(descriptor, path);
    status = write_checked(&fit->machine, stream, temporary, err);
    if (status == MT_OK && rename(temporary, path) != 0)
        status = mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    if (status != MT_OK)
        unlink(temporary);
done:
    free(temporary);
    return status;
}
