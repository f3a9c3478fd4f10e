/* SPDX-License-Identifier: BSD-3-Clause */
/* Program files. Their formulas have no negative values, and parsed placeholders can be
   filled. */
#include "fuzz.h"
#include "lib/input/internal.h"
#include "lib/input/template.h"

#include <math.h>
#include <stdlib.h>

void fuzz_begin(void)
{
}

static char group_name[] = "a", cluster_name[] = "lab";
static struct mt_group groups[] = {{.name = group_name}};
static const struct mt_cluster cluster = {
    .name = cluster_name, .groups = groups, .ngroups = 1};
static const struct mt_configuration configuration = {
    .use = {{.nodes = 2, .layout.processes = 2}}};

/* A checked text can be filled, or fails with a reason. */
static void fill(const char *text)
{
    static const struct mt_filling filling = {.cluster = &cluster,
                                              .configuration = &configuration,
                                              .size = 12,
                                              .folder = "/"};
    struct mt_error err;
    char *filled = NULL;
    const int status = mt_template_fill(&filled, text, &filling, &err);
    fuzz_demand(status == MT_OK || status == MT_EINVAL || status == MT_ENOMEM);
    fuzz_demand((status == MT_OK) == (filled != NULL));
    free(filled);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_program program = {0};
    struct mt_error err;
    if (mt_program_load(&program, fuzz_file(data, size), &err) == MT_OK) {
        fuzz_demand(program.command && program.command[0]);
        fuzz_demand(program.repeat >= 1 && program.timeout > 0);
        for (int i = 0; program.command[i]; i++)
            fill(program.command[i]);
        for (int i = 0; i < program.ninputs; i++)
            fill(program.inputs[i].content);
        for (int i = 0; i < program.nmeasure_sizes; i++) {
            const double n = program.measure_sizes[i];
            fuzz_demand(n > 0 && isfinite(n));
            fuzz_demand(!mt_program_valid(&program, n, 4) ||
                        mt_program_memory(&program, n, 4, 2) >= 0);
            fuzz_demand(!mt_program_valid(&program, n, 1) ||
                        mt_program_work(&program, n, 1) >= 0);
        }
    }
    mt_program_clear(&program);
}
