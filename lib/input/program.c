/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/program.h"

#include <math.h>
#include <stdlib.h>

static void free_command(char **command)
{
    for (char **word = command; word && *word; word++)
        free(*word);
    free(command);
}

void mt_program_clear(struct mt_program *program)
{
    mt_terms_free(program->terms_auto);
    mt_terms_free(program->terms_npt);
    mt_terms_free(program->terms_pt);
    mt_terms_free(program->terms_nt);
    mt_shape_clear(&program->shape);
    mt_expr_free(program->split);
    mt_expr_free(program->valid);
    mt_expr_free(program->memory);
    mt_expr_free(program->work);
    free(program->plan_sizes);
    free(program->measure_sizes);
    free(program->time_match);
    free_command(program->simulated);
    free_command(program->command);
    free(program->path);
    free(program->name);
    *program = (struct mt_program){0};
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
