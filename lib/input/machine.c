/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/machine.h"

#include "internal.h"

#include <stdlib.h>
#include <string.h>

void mt_machine_clear(struct mt_machine *machine)
{
    for (int i = 0; i < machine->nalgorithms; i++) {
        mt_shape_clear(&machine->algorithms[i].shape);
        free(machine->algorithms[i].name);
    }
    free(machine->algorithms);
    free(machine->path);
    free(machine->name);
    *machine = (struct mt_machine){0};
}

int mt_machine_find(const struct mt_algorithm **algorithm,
                    const struct mt_machine *machine, const char *name,
                    struct mt_error *err)
{
    char names[160] = "";
    for (int i = 0; i < machine->nalgorithms; i++) {
        if (!name || strcmp(machine->algorithms[i].name, name) == 0) {
            *algorithm = &machine->algorithms[i];
            return MT_OK;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 machine->algorithms[i].name);
    }
    return mt_fail(err, MT_EINVAL, "machine '%s' has no algorithm '%s', but %s",
                   machine->name, name, names);
}
