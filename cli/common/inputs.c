/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs.h"

#include "cli/process/folders.h"

#include "lib/base/number.h"
#include "lib/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_path(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".yaml"));
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool is_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static int has_yaml(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && !strcmp(entry->d_name + length - 5, ".yaml");
}

/* The YAML files of a folder, without their ending. */
struct names {
    struct dirent **entries; /* owned, and so is each */
    int count;
};

static void list_names(struct names *names, const char *folder)
{
    names->count = folder ? scandir(folder, &names->entries, has_yaml, alphasort) : 0;
    for (int i = 0; i < names->count; i++)
        names->entries[i]->d_name[strlen(names->entries[i]->d_name) - 5] = '\0';
}

/* Whether one of them is closer than what was tried before. */
static bool try_names(struct mt_closest *closest, const struct names *names)
{
    const char *before = closest->name;
    for (int i = 0; i < names->count; i++)
        mt_closest_try(closest, names->entries[i]->d_name);
    return closest->name != before;
}

static void clear_names(struct names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->entries[i]);
    free(names->entries);
}

/* A name without folder and ending. */
static void cut_name(char *stem, size_t size, const char *name)
{
    const char *slash = strrchr(name, '/');
    snprintf(stem, size, "%s", slash ? slash + 1 : name);
    char *dot = strrchr(stem, '.');
    if (dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")))
        *dot = '\0';
}

/* What may have been meant by what there is not: a file beside it, or a shipped one. */
static void find_meant(char *meant, size_t size, const char *name,
                       const struct names *shipped)
{
    char stem[NAME_MAX + 1];
    struct names beside = {0};
    struct mt_closest closest = {.word = stem};
    const char *slash = strrchr(name, '/');
    const int length = slash ? (int)(slash - name) + 1 : 0;
    char *folder = length > 0 ? strndup(name, (size_t)length) : strdup(".");
    cut_name(stem, sizeof stem, name);
    list_names(&beside, folder);
    if (try_names(&closest, &beside))
        snprintf(meant, size, "%.*s%s.yaml", length, name, closest.name);
    if (try_names(&closest, shipped))
        snprintf(meant, size, "%s", closest.name);
    clear_names(&beside);
    free(folder);
}

static void format_list(char *list, size_t size, const struct names *names)
{
    size_t length = 0;
    for (int i = 0; i < names->count && length < size; i++)
        length += (size_t)snprintf(list + length, size - length, "%s%s",
                                   i > 0 ? ", " : "", names->entries[i]->d_name);
}

/* What may have been meant, or what there is. */
static int refuse_name(const char *kind, const char *name, struct mt_error *err)
{
    struct names shipped = {0};
    char *folder = mt_shipped_folder(kind), list[256] = "", meant[256] = "";
    list_names(&shipped, folder);
    find_meant(meant, sizeof meant, name, &shipped);
    format_list(list, sizeof list, &shipped);
    if (is_path(name))
        mt_fail(err, MT_EIO, "cannot read '%.200s': %s%s%s%s", name, strerror(ENOENT),
                *meant ? "; did you mean '" : "", meant, *meant ? "'?" : "");
    else if (is_file(name))
        mt_fail(err, MT_ENOTFOUND,
                "no such name in '%s': '%.60s'; the file of that name is './%.60s'",
                kind, name, name);
    else if (*meant)
        mt_fail(err, MT_ENOTFOUND, "no such name in '%s': '%.60s'; did you mean '%s'?",
                kind, name, meant);
    else
        mt_fail(
            err, MT_ENOTFOUND,
            "no such name in '%s': '%.60s' (the path of a file ends in .yaml or has "
            "a '/'; shipped are %s)",
            kind, name, list);
    clear_names(&shipped);
    free(folder);
    return is_path(name) ? MT_EIO : MT_ENOTFOUND;
}

/* A file of the current folder's and one of motley's: which is meant, the user says. */
static int find_named(char **path, const char *kind, const char *name,
                      struct mt_error *err)
{
    char *here = NULL, *shipped = mt_shipped_file(kind, name);
    int status = MT_OK;
    if (asprintf(&here, "./%s/%s.yaml", kind, name) < 0) {
        free(shipped);
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    }
    const bool is_here = access(here, R_OK) == 0;
    if (is_here && shipped && !is_same_file(here, shipped))
        status = mt_fail(err, MT_EINVAL,
                         "'%s' comes with motley, and is in the current folder, too: "
                         "write '%s' or '%s'",
                         name, here, shipped);
    else if (is_here || shipped)
        *path = strdup(shipped ? shipped : here);
    else
        status = refuse_name(kind, name, err);
    if (status == MT_OK && !*path)
        status = mt_fail(err, MT_ENOMEM, "no memory for a path");
    free(here);
    free(shipped);
    return status;
}

int mt_input_path(char **path, const char *kind, const char *name, struct mt_error *err)
{
    if (!is_path(name))
        return find_named(path, kind, name, err);
    if (access(name, F_OK) != 0 && errno == ENOENT)
        return refuse_name(kind, name, err);
    *path = strdup(name);
    return *path ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a path");
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

static int load_program(struct mt_program *program, const char *name,
                        struct mt_error *err)
{
    char *path = NULL;
    int status = mt_input_path(&path, "programs", name, err);
    if (status == MT_OK)
        status = mt_program_load(program, path, err);
    free(path);
    return status;
}

/* Whether the two are named in the wrong order. */
static bool are_swapped(const char **arguments)
{
    struct mt_inputs swapped = {0};
    const bool found = is_path(arguments[0]) && is_path(arguments[1]) &&
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
        status = load_program(&inputs->program, arguments[1], err);
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
    int status = mt_cluster_input(&cluster, argument, err);
    if (status == MT_OK)
        status = copy_name(name, cluster.name, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int load_program_name(char **name, const char *argument, struct mt_error *err)
{
    if (!is_path(argument))
        return copy_name(name, argument, err);
    struct mt_program program = {0};
    int status = load_program(&program, argument, err);
    if (status == MT_OK)
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
    if (status == MT_OK && arguments[0] && arguments[1])
        status = load_program_name(&names.program, arguments[1], err);
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

/* Read one size that ends at a comma or the end of the text, and add it to the list. */
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
    /* There are at most as many sizes as characters. */
    double *list = calloc(strlen(text) + 1, sizeof *list);
    if (!list)
        return mt_fail(err, MT_ENOMEM, "no memory for a list of sizes");
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
