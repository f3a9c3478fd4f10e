/* SPDX-License-Identifier: BSD-3-Clause */
#include "letters.h"

#include "parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 8, ROWS_OF_LABEL = 3 };

static char digit(double efficiency, int step)
{
    if (isnan(efficiency))
        return ' ';
    const int steps = (int)floor(100 * efficiency / step);
    return (char)('0' + (steps > 9 ? 9 : steps));
}

/* The later marks cover the earlier ones. */
static void put_places(char *letters, const struct mt_places *places,
                       const struct mt_surface_map *map, char letter)
{
    for (int i = 0; i < places->count; i++) {
        double column = mt_span_cell(map->nodes, places->places[i].nodes, map->columns);
        double row = mt_span_cell(map->sizes, places->places[i].size, map->rows);
        letters[(int)round(row) * map->columns + (int)round(column)] = letter;
    }
}

/* Ticks, as far apart as their numbers are wide. */
static void print_nodes(const struct mt_surface_map *map)
{
    char line[MT_LETTER_COLUMNS + 1], numbers[MT_LETTER_COLUMNS + 16];
    double ticks[MT_MAX_TICKS];
    const int nticks = mt_span_ticks(ticks, map->nodes);
    int end = 0; /* of the numbers */
    memset(line, '-', MT_LETTER_COLUMNS);
    memset(numbers, ' ', sizeof numbers);
    line[MT_LETTER_COLUMNS] = '\0';
    for (int i = 0; i < nticks; i++) {
        const int column = (int)round(mt_span_cell(map->nodes, ticks[i], map->columns));
        char text[32];
        const int length = snprintf(text, sizeof text, "%.0f", ticks[i]);
        if (column < end || column + length > MT_LETTER_COLUMNS + 3)
            continue;
        line[column] = '+';
        memcpy(numbers + column, text, (size_t)length);
        end = column + length + 1;
    }
    printf("%*s+%s\n%*s%.*s\n%*s\n", LABEL_WIDTH, "", line, LABEL_WIDTH + 1, "",
           end > 0 ? end - 1 : 0, numbers, LABEL_WIDTH + MT_LETTER_COLUMNS / 2 + 4,
           "nodes P");
}

static void print_legend(const struct mt_drawing *drawing,
                         const struct mt_surface_marks *marks, int step)
{
    printf("\n0-9: efficiency, in steps of %d %%", step);
    if (marks->ridge.count > 0)
        fputs("; o: best size", stdout);
    if (marks->limit.count > 0)
        fputs("; *: memory limit", stdout);
    if (marks->cliffs.count > 0)
        fputs("; !: cliff", stdout);
    char label[128];
    if (marks->overtaken.count > 0)
        printf("\n#: %s", mt_surface_overtakes_label(label, drawing, marks));
    putchar('\n');
}

void mt_print_letters(const struct mt_drawing *drawing, const char *what,
                      const struct mt_surface_map *map,
                      const struct mt_surface_marks *marks)
{
    char title[256], letters[MT_LETTER_COLUMNS * MT_LETTER_ROWS];
    const int cells = map->rows * map->columns;
    const int step = mt_efficiency_step(mt_highest_efficiency(map->efficiency, cells));
    for (int i = 0; i < cells; i++)
        letters[i] = digit(map->efficiency[i], step);
    put_places(letters, &marks->ridge, map, 'o');
    put_places(letters, &marks->cliffs, map, '!');
    put_places(letters, &marks->limit, map, '*');
    put_places(letters, &marks->overtaken, map, '#');

    mt_drawing_title(title, drawing, what, 1);
    printf("\n%s%s\n%*s\n", title, drawing->simulated ? " (simulated)" : "",
           LABEL_WIDTH, "size N");
    for (int row = map->rows - 1; row >= 0; row--) {
        const char *line = letters + (ptrdiff_t)row * map->columns;
        char label[24] = "";
        if ((map->rows - 1 - row) % ROWS_OF_LABEL == 0)
            snprintf(label, sizeof label, "%.0f",
                     mt_span_at(map->sizes, row, map->rows));
        printf("%*s |%.*s\n", LABEL_WIDTH - 1, label, map->columns, line);
    }
    print_nodes(map);
    print_legend(drawing, marks, step);
}
