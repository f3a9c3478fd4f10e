/* SPDX-License-Identifier: BSD-3-Clause */
#include "stored.h"

#include "motley/cluster.h"
#include "motley/program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_path(const char *argument)
{
    const size_t length = strlen(argument);
    return strchr(argument, '/') ||
           (length > 5 && !strcmp(argument + length - 5, ".yaml"));
}

static int copy_name(char **name, const char *text, struct mt_error *err)
{
    *name = strdup(text);
    return *name ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a name");
}

static int load_cluster_name(char **name, const char *argument, struct mt_error *err)
{
    if (!is_path(argument))
        return copy_name(name, argument, err);
    struct mt_cluster cluster = {0};
    int status = mt_cluster_load(&cluster, argument, err);
    if (!status)
        status = copy_name(name, cluster.name, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int load_program_name(char **name, const char *argument, struct mt_error *err)
{
    if (!is_path(argument))
        return copy_name(name, argument, err);
    struct mt_program program = {0};
    int status = mt_program_load(&program, argument, err);
    if (!status)
        status = copy_name(name, program.name, err);
    mt_program_clear(&program);
    return status;
}

int mt_stored_load(struct mt_stored *stored, const char **arguments,
                   struct mt_error *err)
{
    struct mt_stored names = {0};
    int status = MT_OK;
    if (arguments[0] && arguments[1] && arguments[2])
        return mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[2]);
    if (arguments[0])
        status = load_cluster_name(&names.cluster, arguments[0], err);
    if (!status && arguments[0] && arguments[1])
        status = load_program_name(&names.program, arguments[1], err);
    if (status)
        mt_stored_clear(&names);
    else
        *stored = names;
    return status;
}

void mt_stored_clear(struct mt_stored *stored)
{
    free(stored->cluster);
    free(stored->program);
    *stored = (struct mt_stored){0};
}
