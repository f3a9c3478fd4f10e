/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_json.h"

#include "cli/common/json.h"

#include <limits.h>
#include <string.h>

static int set_text(json_t *object, const char *key, const char *text)
{
    return text ? json_object_set_new(object, key, mt_json_text(text)) : 0;
}

json_t *mt_run_to_json(const struct mt_run *run)
{
    json_t *object = json_object();
    if (set_text(object, "cluster", run->cluster) ||
        set_text(object, "program", run->program) ||
        set_text(object, "configuration", run->configuration) ||
        json_object_set_new(object, "size", mt_json_number(run->size)) ||
        json_object_set_new(object, "repetition", json_integer(run->repetition)) ||
        set_text(object, "outcome", mt_outcome_name(run->outcome)) ||
        (run->outcome == MT_RUN_OK &&
         json_object_set_new(object, "seconds", mt_json_number(run->seconds))) ||
        json_object_set_new(object, "wall", mt_json_number(run->wall)) ||
        json_object_set_new(object, "exit_code", json_integer(run->exit_code)) ||
        json_object_set_new(object, "signal", json_integer(run->signal)) ||
        set_text(object, "reason", run->reason) ||
        set_text(object, "launcher", run->launcher) ||
        json_object_set_new(object, "simulated", json_boolean(run->simulated)) ||
        json_object_set_new(object, "started", json_integer(run->started)) ||
        set_text(object, "output", run->output)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* A copy of a string of jansson's, which may be NULL. */
static int copy_text(char **copy, const char *text, struct mt_error *err)
{
    if (text && !(*copy = strdup(text)))
        return mt_fail(err, MT_ENOMEM, "no memory for a run");
    return MT_OK;
}

/* jansson would cut it off silently. */
static int copy_int(int *copy, json_int_t number, const char *key, struct mt_error *err)
{
    if (number < INT_MIN || number > INT_MAX)
        return mt_fail(err, MT_EPARSE, "%s is out of range: '%" JSON_INTEGER_FORMAT "'",
                       key, number);
    *copy = (int)number;
    return MT_OK;
}

int mt_run_from_json(struct mt_run *run, json_t *object, struct mt_error *err)
{
    const char *cluster = NULL, *program = NULL, *configuration = NULL, *outcome = "ok",
               *reason = NULL, *launcher = NULL, *output = NULL;
    int simulated = 0;
    json_int_t repetition = 0, exit_code = 0, signal = 0, started = 0;
    json_error_t error;
    int result = json_unpack_ex(
        object, &error, JSON_STRICT,
        "{s?s, s?s, s:s, s:F, s?I, s?s, s?F, s?F, s?I, s?I, s?s, s?s, s?b, s?I, s?s}",
        "cluster", &cluster, "program", &program, "configuration", &configuration,
        "size", &run->size, "repetition", &repetition, "outcome", &outcome, "seconds",
        &run->seconds, "wall", &run->wall, "exit_code", &exit_code, "signal", &signal,
        "reason", &reason, "launcher", &launcher, "simulated", &simulated, "started",
        &started, "output", &output);
    run->simulated = simulated;
    run->started = started;
    int status = result ? mt_fail(err, MT_EPARSE, "%s", error.text) : MT_OK;
    if (!status)
        status = copy_int(&run->repetition, repetition, "repetition", err);
    if (!status)
        status = copy_int(&run->exit_code, exit_code, "exit_code", err);
    if (!status)
        status = copy_int(&run->signal, signal, "signal", err);
    if (!status)
        status = mt_outcome_parse(&run->outcome, outcome, err);
    if (!status)
        status = copy_text(&run->cluster, cluster, err);
    if (!status)
        status = copy_text(&run->program, program, err);
    if (!status)
        status = copy_text(&run->configuration, configuration, err);
    if (!status)
        status = copy_text(&run->reason, reason, err);
    if (!status)
        status = copy_text(&run->launcher, launcher, err);
    if (!status)
        status = copy_text(&run->output, output, err);
    return status;
}
