/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about a program: its work, memory, and where it may run. */
#include "motley/program.h"

#include "internal.h"
#include "lib/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_command(char **command)
{
    for (char **word = command; word && *word; word++)
        free(*word);
    free(command);
}

static void free_commands(char ***commands, int count)
{
    for (int i = 0; i < count; i++)
        free_command(commands[i]);
    free(commands);
}

static void free_inputs(struct mt_input_file *inputs, int count)
{
    for (int i = 0; i < count; i++) {
        free(inputs[i].file);
        free(inputs[i].source);
        free(inputs[i].content);
    }
    free(inputs);
}

void mt_program_clear(struct mt_program *program)
{
    free_commands(program->cleanup, program->ncleanup);
    free_commands(program->prepare, program->nprepare);
    free_command(program->env);
    free(program->workdir);
    free_inputs(program->inputs, program->ninputs);
    mt_terms_free(program->terms_npt);
    mt_terms_free(program->terms_pt);
    mt_terms_free(program->terms_nt);
    mt_shape_clear(&program->shape);
    mt_expr_free(program->split);
    mt_expr_free(program->valid);
    mt_expr_free(program->memory);
    mt_expr_free(program->work);
    free(program->plan_sizes);
    free(program->threads);
    free(program->binds);
    free(program->gpus);
    free(program->measure_sizes);
    mt_expr_free(program->rate_work);
    free(program->result_file);
    free(program->rate_unit);
    free(program->rate_match);
    free(program->time_match);
    free_command(program->simulated);
    free_command(program->command);
    free(program->path);
    free(program->name);
    *program = (struct mt_program){0};
}

bool mt_program_has_folder(const struct mt_program *program)
{
    return program->ninputs > 0 || program->nprepare > 0 || program->ncleanup > 0 ||
           program->workdir;
}

bool mt_program_valid(const struct mt_program *program, double size, int ranks)
{
    const double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = ranks};
    if (!program->valid)
        return true;
    double value = mt_expr_value(program->valid, values);
    return value != 0 && !isnan(value);
}

double mt_program_memory(const struct mt_program *program, double size, int ranks,
                         int processes)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = ranks, [MT_M] = processes};
    if (!program->memory)
        return 0;
    double bytes = mt_expr_value(program->memory, values);
    return isnan(bytes) ? INFINITY : bytes;
}

double mt_program_work(const struct mt_program *program, double size, int ranks)
{
    const double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = ranks};
    return program->work ? mt_expr_value(program->work, values) : 0;
}

const char *mt_program_pattern(const struct mt_program *program)
{
    return program->rate_match ? program->rate_match : program->time_match;
}

/* 25 us are 2.5e-5 s to the last bit: 1e-6 is rounded, but 1e6 is not. */
static double in_seconds(double number, double unit)
{
    return unit < 1 ? number / nearbyint(1 / unit) : number * unit;
}

double mt_program_seconds(const struct mt_program *program, double number, double size,
                          int ranks)
{
    const double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = ranks};
    double unit = NAN;
    if (!program->rate_match)
        return in_seconds(number, mt_time_unit_seconds(program->time_unit));
    const struct mt_expr *work =
        program->rate_work ? program->rate_work : program->work;
    mt_rate_unit(&unit, program->rate_unit, strlen(program->rate_unit));
    return mt_expr_value(work, values) / (number * unit);
}

const char *mt_time_unit_name(enum mt_time_unit unit)
{
    static const char *const names[] = {
#define X(unit, name, seconds) [unit] = name,
        MT_TIME_UNIT_LIST(X)
#undef X
    };
    return names[unit];
}

double mt_time_unit_seconds(enum mt_time_unit unit)
{
    static const double factors[] = {
#define X(unit, name, seconds) [unit] = seconds,
        MT_TIME_UNIT_LIST(X)
#undef X
    };
    return factors[unit];
}
