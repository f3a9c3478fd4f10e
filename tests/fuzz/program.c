/* SPDX-License-Identifier: BSD-3-Clause */
/* Program files. What they say has no values that are negative. */
#include "motley/program.h"
#include "fuzz.h"

#include <math.h>

void fuzz_begin(void)
{
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_program program = {0};
    struct mt_error err;
    if (mt_program_load(&program, fuzz_file(data, size), &err) == MT_OK) {
        fuzz_demand(program.command && program.command[0]);
        fuzz_demand(program.repeat >= 1 && program.timeout > 0);
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
