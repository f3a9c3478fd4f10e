/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters, programs, runs, sizes and quantities that arguments name. */
#include "inputs.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "motley/store.h"

#include "lib/base/number.h"
#include "lib/base/options.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int mt_input_path(char **path, const char *kind, const char *name, struct mt_error *err)
{
    char *shipped = mt_shipped_folder(kind);
    const int status = mt_named_path(path, kind, name, shipped, err);
    free(shipped);
    return status;
}

int mt_cluster_input(struct mt_cluster *cluster, const char *name, struct mt_error *err)
{
    char *path = NULL;
    int status = mt_input_path(&path, "clusters", name, err);
    if (status == MT_OK)
        status = mt_cluster_load(cluster, path, err);
    free(path);
    return status;
}

int mt_program_input(struct mt_program *program, const char *name, struct mt_error *err)
{
    char *path = NULL;
    int status = mt_input_path(&path, "programs", name, err);
    if (status == MT_OK)
        status = mt_program_load(program, path, err);
    free(path);
    return status;
}

/* Whether the two arguments are in the wrong order. */
static bool are_swapped(const char **arguments)
{
    struct mt_inputs swapped = {0};
    const bool found = mt_named_by_path(arguments[0]) &&
                       mt_named_by_path(arguments[1]) &&
                       mt_cluster_load(&swapped.cluster, arguments[1], NULL) == MT_OK &&
                       mt_program_load(&swapped.program, arguments[0], NULL) == MT_OK;
    mt_inputs_clear(&swapped);
    return found;
}

int mt_inputs_check(const char **arguments, struct mt_error *err)
{
    if (!arguments[0] || !arguments[1])
        return mt_fail(err, MT_EINVAL, "a cluster and a program are needed");
    if (arguments[2])
        return mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[2]);
    return MT_OK;
}

int mt_inputs_load(struct mt_inputs *inputs, const char **arguments,
                   struct mt_error *err)
{
    *inputs = (struct mt_inputs){0};
    int status = mt_inputs_check(arguments, err);
    if (status != MT_OK)
        return status;
    status = mt_cluster_input(&inputs->cluster, arguments[0], err);
    if (status != MT_OK && are_swapped(arguments))
        return mt_fail(err, MT_EINVAL,
                       "'%s' is a program and '%s' a cluster: the cluster comes first",
                       arguments[0], arguments[1]);
    if (status == MT_OK)
        status = mt_program_input(&inputs->program, arguments[1], err);
    if (status == MT_OK)
        status = mt_cluster_lay_out(&inputs->cluster, &inputs->program, err);
    if (status != MT_OK)
        mt_inputs_clear(inputs);
    return status;
}

void mt_inputs_clear(struct mt_inputs *inputs)
{
    mt_cluster_clear(&inputs->cluster);
    mt_program_clear(&inputs->program);
}

int mt_samples_input(struct mt_samples *samples, const char *db,
                     const struct mt_inputs *inputs, struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, db, MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_store_samples(store, samples, &inputs->cluster,
                                  inputs->program.name, err);
    mt_store_close(store);
    return status;
}

/* If the argument is a path, the name in that file; otherwise the argument. */
static int load_name(char **name, const char *argument, bool is_program,
                     struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    int status = MT_OK;
    if (mt_named_by_path(argument))
        status = is_program ? mt_program_input(&inputs.program, argument, err)
                            : mt_cluster_input(&inputs.cluster, argument, err);
    const char *found = is_program ? inputs.program.name : inputs.cluster.name;
    if (status == MT_OK)
        *name = mt_strdup(found ? found : argument);
    mt_inputs_clear(&inputs);
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
        status = load_name(&names.cluster, arguments[0], false, err);
    if (status == MT_OK && arguments[0] && arguments[1])
        status = load_name(&names.program, arguments[1], true, err);
    if (status == MT_OK)
        *stored = names;
    else
        mt_stored_clear(&names);
    return status;
}

void mt_stored_clear(struct mt_stored *stored)
{
    free(stored->cluster);
    free(stored->program);
    *stored = (struct mt_stored){0};
}

/* Read one size, up to a comma or the end of the text, and add it to the list. */
static int add_size(double *list, int *length, const char **at, const char *option,
                    struct mt_error *err)
{
    double size = 0;
    const char *end = mt_number_read(*at + strspn(*at, " \t"), &size);
    if (end)
        end += strspn(end, " \t");
    if (!end || (*end && *end != ',') || size <= 0 || isinf(size))
        return mt_fail(err, MT_EINVAL,
                       "%s: '%.40s' is not a number above 0, or several separated by "
                       "commas",
                       option, *at);
    for (int i = 0; i < *length; i++)
        if (list[i] == size)
            return mt_fail(err, MT_EINVAL, "%s: %.15g comes twice", option, size);
    list[(*length)++] = size;
    *at = *end ? end + 1 : NULL;
    return MT_OK;
}

int mt_sizes_option(double **sizes, int *count, const char *option, const char *text,
                    struct mt_error *err)
{
    /* At most one size per character. */
    double *list = mt_calloc(strlen(text) + 1, sizeof *list);
    int length = 0, status = MT_OK;
    for (const char *at = text; status == MT_OK && at;)
        status = add_size(list, &length, &at, option, err);
    if (status != MT_OK) {
        free(list);
        return status;
    }
    *sizes = list;
    *count = length;
    return MT_OK;
}

int mt_positive_option(double *value, const char *option, const char *text,
                       enum mt_quantity quantity, struct mt_error *err)
{
    double read;
    if (!text)
        return MT_OK;
    const int status = mt_quantity_parse(&read, text, quantity, err);
    if (status != MT_OK)
        return mt_fail(err, status, "%s: %s", option, err->text);
    if (read <= 0)
        return mt_fail(err, MT_EINVAL, "%s: '%s' is not above 0", option, text);
    *value = read;
    return MT_OK;
}

int mt_share_option(double *value, const char *option, const char *text,
                    struct mt_error *err)
{
    char *end = NULL;
    double share = text ? strtod(text, &end) : 0;
    if (!text)
        return MT_OK;
    const bool percent = end != text && end[strspn(end, " ")] == '%';
    end += percent ? strspn(end, " ") + 1 : 0;
    share /= percent ? 100 : 1;
    if (end == text || *end)
        return mt_fail(err, MT_EINVAL, "%s: '%s' is not a share such as 75%% or 0.75",
                       option, text);
    if (!(share > 0 && share <= 1))
        return mt_fail(err, MT_EINVAL,
                       "%s: '%s' is not above 0 and at most 100%%: write it as 75%% or "
                       "0.75",
                       option, text);
    *value = share;
    return MT_OK;
}

int mt_configuration_option(struct mt_configuration *configuration,
                            const struct mt_cluster *cluster, const char *text,
                            struct mt_error *err)
{
    int status = mt_configuration_parse(configuration, cluster, text, err);
    if (status == MT_OK)
        status = mt_configuration_check(configuration, cluster, err);
    status = mt_option_blame(status, "--configuration", err);
    return status == MT_OK ? mt_configuration_find_nodes(configuration, cluster, err)
                           : status;
}
