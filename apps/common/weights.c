/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file that gives each rank's weight. */
#include "weights.h"

#include "lib/base/line.h"
#include "lib/base/number.h"
#include "lib/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void strip(struct mt_line *line)
{
    while (line->length > 0 && isspace((unsigned char)line->text[line->length - 1]))
        line->text[--line->length] = '\0';
}

/* Leaves `weight` alone when the line is empty or a comment. */
static int read_weight(double *weight, struct mt_line *line, struct mt_error *err)
{
    enum { SHOWN = 40 };
    double value;
    strip(line);
    if (line->length == 0 || line->text[0] == '#')
        return MT_OK;
    const char *text = line->text + strspn(line->text, " \t");
    const char *end = mt_number_read(text, &value);
    if (end == line->text + line->length && value > 0 && isfinite(value)) {
        *weight = value;
        return MT_OK;
    }
    if (line->length > SHOWN)
        line->text[SHOWN] = '\0';
    mt_text_clean_line(line->text);
    return mt_fail(err, MT_EPARSE,
                   "not a weight: '%s'; each line must be one positive number",
                   line->text);
}

/* Stop after one weight too many, in case the file is endless. */
static int read_weights(double *weights, int ranks, const char *path, FILE *stream,
                        struct mt_error *err)
{
    struct mt_line line = {0};
    int found = 0, number = 0, status = MT_OK;
    do {
        double weight = 0;
        number++;
        status = mt_line_read(&line, stream, err);
        if (status == MT_OK && !line.ended)
            status = read_weight(&weight, &line, err);
        if (status == MT_OK && weight > 0 && found == ranks)
            status = mt_fail(err, MT_EINVAL,
                             "more weights than the %d ranks; there must be one "
                             "for each",
                             ranks);
        if (status == MT_OK && weight > 0)
            weights[found++] = weight;
    } while (status == MT_OK && !line.ended);
    mt_line_clear(&line);
    if (status != MT_OK)
        return mt_fail(err, status, "%s, line %d: %s", path, number, err->text);
    if (found < ranks)
        return mt_fail(err, MT_EINVAL,
                       "%s: %d weights for %d ranks; there must be one for each", path,
                       found, ranks);
    return MT_OK;
}

static const double least_weight = 1e-12;

static void scale(double *weights, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, weights[i]);
    for (int i = 0; i < count; i++)
        weights[i] = fmax(weights[i] / largest, least_weight);
}

int weights_load(double *weights, int count, const char *path, struct mt_error *err)
{
    FILE *stream = fopen(path, "r");
    if (!stream)
        return mt_fail(err, MT_EIO, "cannot open '%s': %s", path, strerror(errno));
    const int status = read_weights(weights, count, path, stream, err);
    fclose(stream);
    if (status == MT_OK)
        scale(weights, count);
    return status;
}
