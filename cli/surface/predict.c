/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/survey.h"
#include "picture.h"
#include "points_view.h"
#include "surface.h"
#include "survey_views.h"
#include "text.h"

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
                   struct mt_surface_levels *levels, struct mt_error *err)
{
    struct mt_survey_request request = {.nodes = mt_surface_axis(&axes->nodes),
                                        .sizes = mt_surface_axis(&axes->sizes)};
    struct mt_survey survey = {0};
    int status = mt_surface_base_read(&request.base, err);
    if (status == MT_OK)
        status = mt_surface_levels_read(levels, err);
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
    struct mt_surface_levels levels = {0};
    int status = mt_surface_check_output(err);
    if (status == MT_OK)
        status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = mt_surface_axes_read(&axes, err);
    if (status == MT_OK)
        status = predict(input.surface, &axes, &levels, err);
    mt_surface_levels_clear(&levels);
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
