/* SPDX-License-Identifier: BSD-3-Clause */
#include "letters.h"
#include "mesh.h"
#include "parts.h"

#include "cli/common/plot_script.h"

#include <math.h>
#include <stdlib.h>

/* Of the mesh of a prediction, and of the axes' cells. */
enum { COLUMNS = 37, ROWS = 37 };

static void write_mesh(FILE *script, const struct mt_mesh *mesh)
{
    const struct mt_span nodes = mt_mesh_nodes(mesh), sizes = mt_mesh_sizes(mesh);
    fputs("$mesh << EOD\n", script);
    for (int row = 0; row < mesh->rows; row++) {
        for (int column = 0; column < mesh->columns; column++) {
            const double efficiency = mesh->efficiency[row * mesh->columns + column];
            fprintf(script, "%.5g %.5g ",
                    mt_span_cell(nodes, mesh->nodes[column], COLUMNS),
                    mt_span_cell(sizes, mesh->sizes[row], ROWS));
            if (isnan(efficiency)) /* printf() may write "-nan" */
                fputs("NaN\n", script);
            else
                fprintf(script, "%.4g\n", 100 * efficiency);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void write_script(FILE *script, const struct mt_mesh *mesh)
{
    const double highest =
        mt_highest_efficiency(mesh->efficiency, mesh->columns * mesh->rows);
    const int step = mt_efficiency_step(highest);
    mt_write_cell_axis(script, "x", "nodes P", mt_mesh_nodes(mesh), COLUMNS);
    mt_write_cell_axis(script, "y", "problem size N", mt_mesh_sizes(mesh), ROWS);
    mt_write_efficiency_colors(script, step);
    fputs("set palette maxcolors 0\n", script);
    write_mesh(script, mesh);
    fprintf(script,
            "set zrange [0:%.4g]\nset zlabel 'efficiency [%%]' rotate parallel\n"
            "set xlabel rotate parallel\nset ylabel rotate parallel\n"
            "set xtics offset 0.3,-0.3\nset ytics offset -1.2,-0.4\nset xyplane at "
            "0\nset view 58, 126, 1, 1\n"
            "unset colorbox\nset grid\n"
            "set pm3d depthorder border linecolor rgb '#303030' linewidth 0.4\n"
            "splot $mesh using 1:2:3 with pm3d notitle\n",
            fmax(10 * step, 100 * highest));
}

static int draw_mesh(const struct mt_drawing *drawing, const struct mt_mesh *mesh,
                     const char *target, struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(&script, 900, 680);
        mt_write_title(&script, drawing,
                       drawing->nmeasured > 0 ? "Measured efficiency" : "Efficiency");
        write_script(script.file, mesh);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}

static int draw_measured(const struct mt_drawing *drawing, const char *target,
                         struct mt_error *err)
{
    struct mt_mesh mesh = {0};
    int status = mt_mesh_of_points(&mesh, drawing->measured, drawing->nmeasured, err);
    if (status == MT_OK)
        status = draw_mesh(drawing, &mesh, target, err);
    mt_mesh_clear(&mesh);
    return status;
}

static int draw_predicted(const struct mt_drawing *drawing, const char *target,
                          struct mt_error *err)
{
    struct mt_surface_map map = {0};
    struct mt_mesh mesh = {0};
    int status =
        mt_surface_map_make(&map, drawing->surfaces[0], mt_drawing_nodes(drawing),
                            mt_drawing_sizes(drawing), COLUMNS, ROWS, err);
    if (status == MT_OK)
        status = mt_mesh_of_map(&mesh, &map, err);
    if (status == MT_OK)
        status = draw_mesh(drawing, &mesh, target, err);
    mt_mesh_clear(&mesh);
    mt_surface_map_clear(&map);
    return status;
}

/* Letters know no perspective: a map of digits shows the same. */
static int print_measured(const struct mt_drawing *drawing, struct mt_error *err)
{
    struct mt_surface_map map = {0};
    const struct mt_surface_marks no_marks = {0};
    struct mt_mesh mesh = {0};
    int status = mt_mesh_of_points(&mesh, drawing->measured, drawing->nmeasured, err);
    if (status == MT_OK)
        status = mt_mesh_to_map(&map, &mesh, MT_LETTER_COLUMNS, MT_LETTER_ROWS, err);
    if (status == MT_OK)
        mt_print_letters(drawing, "Measured efficiency", &map, &no_marks);
    mt_surface_map_clear(&map);
    mt_mesh_clear(&mesh);
    return status;
}

int mt_draw_perspective(const struct mt_drawing *drawing, const char *target,
                        struct mt_error *err)
{
    enum mt_plot_kind kind;
    int status = mt_plot_kind_find(&kind, target, err);
    if (status != MT_OK)
        return status;
    if (drawing->nmeasured > 0)
        return kind == MT_PLOT_TERM ? print_measured(drawing, err)
                                    : draw_measured(drawing, target, err);
    return kind == MT_PLOT_TERM ? mt_draw_contours(drawing, target, err)
                                : draw_predicted(drawing, target, err);
}
