/* SPDX-License-Identifier: BSD-3-Clause */
#include "weights_file.h"

#include "lib/base/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the whole numbers of OpenFOAM's file add up to, about. */
static const double whole_weights = 1e8;

static const char *const format_names[] = {[MT_WEIGHTS_LIST] = "list",
                                           [MT_WEIGHTS_METIS] = "metis",
                                           [MT_WEIGHTS_OPENFOAM] = "openfoam"};

int mt_weights_format_parse(enum mt_weights_format *format, const char *name,
                            struct mt_error *err)
{
    for (int i = MT_WEIGHTS_LIST; i <= MT_WEIGHTS_OPENFOAM; i++)
        if (strcmp(name, format_names[i]) == 0) {
            *format = (enum mt_weights_format)i;
            return MT_OK;
        }
    return mt_fail(err, MT_EINVAL, "'%s' is neither list, metis nor openfoam", name);
}

static void write_list(const double *weights, int count, FILE *stream)
{
    fputs("# The weight of each rank, in their order.\n", stream);
    for (int i = 0; i < count; i++)
        fprintf(stream, "%.9g\n", weights[i]);
}

/* The parts are numbered from 0; their shares add up to 1. */
static void write_metis(const double *weights, int count, FILE *stream)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    for (int i = 0; i < count; i++)
        fprintf(stream, "%d = %.12f\n", i, weights[i] / sum);
}

/* Scotch's weights are whole numbers, whose sum has to be below 2^31. */
static void write_openfoam(const double *weights, int count, FILE *stream)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    fprintf(stream,
            "FoamFile\n{\n    version     2.0;\n    format      ascii;\n"
            "    class       dictionary;\n    object      decomposeParDict;\n}\n\n"
            "numberOfSubdomains %d;\n\nmethod          scotch;\n\n"
            "scotchCoeffs\n{\n    processorWeights\n    (\n",
            count);
    for (int i = 0; i < count; i++)
        fprintf(stream, "        %.0f\n", fmax(1, weights[i] / sum * whole_weights));
    fputs("    );\n}\n", stream);
}

int mt_weights_write(const double *weights, int count, enum mt_weights_format format,
                     const char *path, struct mt_error *err)
{
    static void (*const writers[])(const double *, int,
                                   FILE *) = {[MT_WEIGHTS_LIST] = write_list,
                                              [MT_WEIGHTS_METIS] = write_metis,
                                              [MT_WEIGHTS_OPENFOAM] = write_openfoam};
    struct mt_draft draft;
    const int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    writers[format](weights, count, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}
