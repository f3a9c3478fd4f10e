/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/program.h"

#include "program_file.h"
#include "yaml_load.h"
#include "yaml_value.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_REPEAT = 1, DEFAULT_TIMEOUT = 3600 };

static const char *const command_placeholders[] = {"{N}", "{P}", NULL};

static int read_commands(struct mt_program *program, struct file_program *from,
                         const struct mt_yaml *yaml, struct mt_error *err)
{
    int root = mt_yaml_root(yaml);
    int status =
        mt_yaml_command(&program->command, yaml, root, "command", &from->command,
                        from->ncommand, command_placeholders, err);
    if (!status)
        status = mt_yaml_command(&program->simulated, yaml, root, "simulated",
                                 &from->simulated, from->nsimulated,
                                 command_placeholders, err);
    return status;
}

/* The pattern must compile and have a group, whose text is the time. */
static int check_pattern(const char *pattern, const struct mt_yaml *yaml, int node,
                         struct mt_error *err)
{
    regex_t regex;
    int failure = regcomp(&regex, pattern, REG_EXTENDED);
    if (failure) {
        char reason[100];
        regerror(failure, &regex, reason, sizeof reason);
        return mt_yaml_fail(yaml, node, err, "'match' is not a pattern: %s", reason);
    }
    size_t groups = regex.re_nsub;
    regfree(&regex);
    if (groups == 0)
        return mt_yaml_fail(yaml, node, err,
                            "'match' has no group ( ) around the seconds: '%.60s'",
                            pattern);
    return MT_OK;
}

static int read_time(struct mt_program *program, struct file_program *from,
                     const struct mt_yaml *yaml, struct mt_error *err)
{
    int root = mt_yaml_root(yaml), node = mt_yaml_member(yaml, root, "time");
    if (!node)
        return mt_yaml_fail(yaml, root, err,
                            "missing key 'time': wall or {match: PATTERN}");
    if (from->time_word && strcmp(from->time_word, "wall") != 0)
        return mt_yaml_fail(yaml, node, err,
                            "'time' must be wall or {match: PATTERN}, not '%.60s'",
                            from->time_word);
    if (from->time_word)
        return MT_OK;
    program->time_match = from->time.match;
    from->time.match = NULL;
    return check_pattern(program->time_match, yaml, mt_yaml_member(yaml, node, "match"),
                         err);
}

static int check_sizes(const double *sizes, unsigned count, const char *key,
                       const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int list = mt_yaml_member(yaml, map, key);
    for (int i = 0; i < (int)count; i++) {
        if (sizes[i] <= 0)
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                "sizes in '%s' must be more than 0, not %g", key,
                                sizes[i]);
        if (i > 0 && sizes[i] <= sizes[i - 1])
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                "sizes in '%s' must grow: %g after %g", key, sizes[i],
                                sizes[i - 1]);
    }
    return MT_OK;
}

static int read_sizes(struct mt_program *program, struct file_program *from,
                      const struct mt_yaml *yaml, struct mt_error *err)
{
    struct file_sizes *sizes = &from->sizes;
    int map = mt_yaml_member(yaml, mt_yaml_root(yaml), "sizes");
    int status =
        check_sizes(sizes->measure, sizes->nmeasure, "measure", yaml, map, err);
    if (!status)
        status = check_sizes(sizes->plan, sizes->nplan, "plan", yaml, map, err);
    if (status)
        return status;
    program->measure_sizes = sizes->measure;
    program->nmeasure_sizes = (int)sizes->nmeasure;
    program->plan_sizes = sizes->plan;
    program->nplan_sizes = (int)sizes->nplan;
    sizes->measure = sizes->plan = NULL;
    sizes->nmeasure = sizes->nplan = 0;
    return MT_OK;
}

static int read_runs(struct mt_program *program, const struct file_program *from,
                     const struct mt_yaml *yaml, struct mt_error *err)
{
    int root = mt_yaml_root(yaml), repeat = mt_yaml_member(yaml, root, "repeat");
    if (repeat && from->repeat < 1)
        return mt_yaml_fail(yaml, repeat, err, "'repeat' must be at least 1, not %d",
                            from->repeat);
    program->repeat = repeat ? from->repeat : DEFAULT_REPEAT;
    program->timeout = DEFAULT_TIMEOUT;
    return mt_yaml_quantity(&program->timeout, yaml, root, "timeout", from->timeout,
                            MT_SECONDS, err);
}

/* Fill `program` from the file; on failure it holds what was done so far. */
static int read_program(struct mt_program *program, struct file_program *from,
                        const struct mt_yaml *yaml, struct mt_error *err)
{
    program->name = from->name;
    from->name = NULL;
    int status = read_commands(program, from, yaml, err);
    if (!status)
        status = read_time(program, from, yaml, err);
    if (!status)
        status = read_sizes(program, from, yaml, err);
    if (!status)
        status = read_runs(program, from, yaml, err);
    if (!status)
        status = mt_program_read_formulas(program, from, yaml, err);
    return status;
}

static const struct cyaml_schema_value *choose_schema(const struct mt_yaml *yaml)
{
    int time = mt_yaml_member(yaml, mt_yaml_root(yaml), "time");
    return mt_yaml_kind(yaml, time) == MT_YAML_MAP ? &mt_program_schema_time_map
                                                   : &mt_program_schema_time_word;
}

static int load_file(struct mt_program *program, const struct mt_yaml *yaml,
                     struct mt_error *err)
{
    const struct cyaml_schema_value *schema = choose_schema(yaml);
    void *from = NULL;
    int status = mt_yaml_load(yaml, schema, &from, err);
    if (!status)
        status = read_program(program, from, yaml, err);
    mt_yaml_unload(schema, from);
    return status;
}

int mt_program_load(struct mt_program *program, const char *path, struct mt_error *err)
{
    struct mt_program loaded = {.path = strdup(path)};
    struct mt_yaml *yaml = NULL;
    int status = MT_OK;
    if (!loaded.path)
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (!status)
        status = mt_yaml_open(&yaml, path, err);
    if (!status)
        status = load_file(&loaded, yaml, err);
    mt_yaml_close(yaml);
    if (status)
        mt_program_clear(&loaded);
    else
        *program = loaded;
    return status;
}
