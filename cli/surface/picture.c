/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include "cli/common/plot.h"
#include "parts.h"

#include <string.h>

static const struct {
    const char *name;
    int (*draw)(const struct mt_drawing *drawing, const char *target,
                struct mt_error *err);
} pictures[MT_NPICTURES] = {
    [MT_PICTURE_CONTOURS] = {"contours", mt_draw_contours},
    [MT_PICTURE_SURFACE] = {"surface", mt_draw_perspective},
    [MT_PICTURE_SECTIONS] = {"sections", mt_draw_sections},
    [MT_PICTURE_SPEEDUPS] = {"speed-ups", mt_draw_speedups},
    [MT_PICTURE_SPEEDS] = {"speeds", mt_draw_speeds},
};

const char *mt_picture_name(enum mt_picture picture)
{
    return pictures[picture].name;
}

int mt_picture_parse(enum mt_picture *picture, const char *name, struct mt_error *err)
{
    for (int i = 0; i < MT_NPICTURES; i++) {
        if (strcmp(name, pictures[i].name) == 0) {
            *picture = (enum mt_picture)i;
            return MT_OK;
        }
    }
    return mt_fail(err, MT_EINVAL,
                   "unknown picture: '%s' (there are contours, surface, sections, "
                   "speed-ups and speeds)",
                   name);
}

int mt_picture_draw(enum mt_picture picture, const struct mt_drawing *drawing,
                    const char *target, struct mt_error *err)
{
    int status = mt_plot_check(target, false, err);
    return status == MT_OK ? pictures[picture].draw(drawing, target, err) : status;
}
