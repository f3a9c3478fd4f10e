/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/number.h"
#include "motley/survey.h"
#include "picture.h"
#include "points_view.h"
#include "surface.h"
#include "survey_views.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* The efficiencies that --efficiency asks for. Zeroed is empty. */
struct levels {
    double *values; /* owned */
    int count;
};

/* Read "0.5,0.8"; `text` may be NULL. */
static int read_levels(struct levels *levels, const char *text, struct mt_error *err)
{
    if (!text)
        return MT_OK;
    levels->values = calloc(strlen(text) + 1, sizeof *levels->values);
    if (!levels->values)
        return mt_fail(err, MT_ENOMEM, "no memory for efficiencies");
    const char *at = text;
    do {
        double level;
        const char *end = mt_number_read(at, &level);
        if (!end || (*end && (*end != ',' || !end[1])) || !(level > 0) || level > 1)
            return mt_fail(err, MT_EINVAL,
                           "--efficiency '%s': efficiencies are above 0 and at most 1, "
                           "as '0.5,0.8'",
                           text);
        levels->values[levels->count++] = level;
        at = *end ? end + 1 : end;
    } while (*at);
    return MT_OK;
}

/* `text` may be NULL: 0. */
static int read_base(double *base, const char *text, struct mt_error *err)
{
    const int status = text ? mt_axis_parse_single(base, text, err) : MT_OK;
    return status == MT_OK ? MT_OK : mt_fail(err, status, "--base %s", err->text);
}

static int show(const struct mt_survey *survey, struct mt_error *err)
{
    if (mt_common.json)
        return mt_survey_print_json(survey, err);
    return mt_surface_options.csv ? mt_points_print_csv(survey, err)
                                  : mt_survey_print(survey, err);
}

static int draw(const struct mt_survey *survey, struct mt_error *err)
{
    char label[MT_SURFACE_LABEL];
    const struct mt_drawing drawing = {
        .surfaces = {survey->surface},
        .labels = {mt_surface_label(label, survey->surface)},
        .nsurfaces = 1,
        .base = survey->base,
        .simulated = mt_surface_machine(survey->surface)->simulated,
    };
    return mt_surface_draw(&drawing, MT_PICTURE_CONTOURS, &survey->sizes,
                           &survey->nodes, err);
}

static int predict(const struct mt_surface *surface, const struct mt_surface_axes *axes,
                   struct levels *levels, struct mt_error *err)
{
    struct mt_survey_request request = {.nodes = mt_surface_axis(&axes->nodes),
                                        .sizes = mt_surface_axis(&axes->sizes)};
    struct mt_survey survey = {0};
    int status = read_base(&request.base, mt_surface_options.base, err);
    if (status == MT_OK)
        status = read_levels(levels, mt_surface_options.efficiency, err);
    if (status != MT_OK)
        return status;
    request.levels = levels->values;
    request.nlevels = levels->count;
    status = mt_survey_make(&survey, surface, &request, err);
    status = mt_surface_need_sizes(status, err);
    if (status == MT_OK)
        status = show(&survey, err);
    if (status == MT_OK)
        status = draw(&survey, err);
    mt_survey_clear(&survey);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input input = {0};
    struct mt_surface_axes axes = {0};
    struct levels levels = {0};
    int status = mt_surface_check_output(err);
    if (status == MT_OK)
        status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = mt_surface_axes_read(&axes, err);
    if (status == MT_OK)
        status = predict(input.surface, &axes, &levels, err);
    free(levels.values);
    mt_surface_axes_clear(&axes);
    mt_surface_input_clear(&input);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm",  "nodes", "size",    "base",
                                      "efficiency", "plot",  "picture", "csv",
                                      "json",       NULL};

const struct mt_action mt_surface_predict = {
    .name = "predict",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "efficiency, speed and time over sizes and nodes",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
