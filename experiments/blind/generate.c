/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the files of random clusters and programs: generate FOLDER SEED... */
#include "draw.h"

#include "cli/common/command.h"
#include "lib/base/number.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, const char **argv)
{
    struct mt_error err;
    int status = MT_OK;
    if (argc < 3) {
        fputs("usage: generate FOLDER SEED...\n"
              "Writes FOLDER/SEED/cluster.yaml and the programs' files.\n",
              stderr);
        return EXIT_USAGE;
    }
    for (int i = 2; i < argc && status == MT_OK; i++) {
        char *folder;
        if (asprintf(&folder, "%s/%s", argv[1], argv[i]) < 0)
            abort();
        status = draw_files(folder, strtoull(argv[i], NULL, 10), &err);
        free(folder);
    }
    if (status != MT_OK)
        fprintf(stderr, "generate: %s\n", err.text);
    return mt_exit_status(status);
}
