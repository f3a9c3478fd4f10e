/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface.h"

#include "cli/common/command.h"

#include <stdlib.h>
#include <string.h>

/* Load the machine, and find its algorithm; `algorithm` may be NULL. */
static int load(struct mt_surface_input *input, const char *machine,
                const char *algorithm, struct mt_error *err)
{
    char *path = NULL;
    int status = mt_input_path(&path, "machines", machine, err);
    if (status == MT_OK)
        status = mt_machine_load(&input->machine, path, err);
    free(path);
    if (status == MT_OK)
        status = mt_machine_find(&input->algorithm, &input->machine, algorithm, err);
    if (status == MT_OK)
        status =
            mt_surface_make(&input->surface, &input->machine, input->algorithm, err);
    return status;
}

int mt_surface_input(struct mt_surface_input *input, const char *name,
                     struct mt_error *err)
{
    char *machine = strdup(name);
    if (!machine)
        return mt_fail(err, MT_ENOMEM, "no memory for the name of a machine");
    const char *algorithm = mt_surface_options.algorithm;
    char *colon = strrchr(machine, ':');
    if (colon) {
        *colon = 0;
        algorithm = colon + 1;
    }
    const int status = load(input, machine, algorithm, err);
    free(machine);
    if (status != MT_OK)
        mt_surface_input_clear(input);
    return status;
}

void mt_surface_input_clear(struct mt_surface_input *input)
{
    mt_surface_free(input->surface);
    mt_machine_clear(&input->machine);
    *input = (struct mt_surface_input){0};
}
