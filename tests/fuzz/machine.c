/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine files. A machine stays the same when written and read again, and points of
   its surface have valid numbers. */
#include "fuzz.h"
#include "lib/machine/internal.h"
#include "motley/surface.h"

#include <math.h>

static void write_again(const struct mt_machine *machine)
{
    struct fuzz_page first = {0}, second = {0};
    struct mt_machine again = {0};
    struct mt_error err;
    fuzz_page_open(&first);
    fuzz_demand(mt_machine_write(machine, first.stream, &err) == MT_OK);
    fuzz_page_close(&first);
    fuzz_demand(mt_machine_load(&again, fuzz_file(first.text, first.length), &err) ==
                MT_OK);
    fuzz_page_open(&second);
    fuzz_demand(mt_machine_write(&again, second.stream, &err) == MT_OK);
    fuzz_page_close(&second);
    fuzz_demand(fuzz_page_same(&first, &second));
    mt_machine_clear(&again);
    fuzz_page_clear(&first);
    fuzz_page_clear(&second);
}

static void look_at(const struct mt_surface *surface, double nodes)
{
    static const double sizes[] = {1, 17, 400, 1e5};
    for (int i = 0; i < 4; i++) {
        const struct mt_surface_point point = mt_surface_at(surface, sizes[i], nodes);
        fuzz_demand(!point.valid || (point.seconds >= 0 && point.compute >= 0 &&
                                     point.communicate >= 0));
        fuzz_demand(!point.valid || point.efficiency >= 0 || isnan(point.efficiency));
    }
}

void fuzz_begin(void)
{
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_machine machine = {0};
    struct mt_error err;
    if (mt_machine_load(&machine, fuzz_file(data, size), &err) == MT_OK) {
        write_again(&machine);
        for (int i = 0; i < machine.nalgorithms; i++) {
            struct mt_surface *surface = NULL;
            if (mt_surface_make(&surface, &machine, &machine.algorithms[i], &err) ==
                MT_OK) {
                look_at(surface, 1);
                look_at(surface, machine.nodes);
            }
            mt_surface_free(surface);
        }
    }
    mt_machine_clear(&machine);
}
