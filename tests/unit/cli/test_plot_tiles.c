/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/plot_tiles.h"

#include "tests/unit/test.h"

#include <math.h>

enum { GROUPS = 8, PLACES = 6 };

struct light {
    double red, green, blue;
};

static double light_of(unsigned part)
{
    const double value = (part & 0xff) / 255.;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static struct light lights_of(unsigned color)
{
    return (struct light){light_of(color >> 16), light_of(color >> 8), light_of(color)};
}

static double luminance(unsigned color)
{
    const struct light x = lights_of(color);
    return 0.2126 * x.red + 0.7152 * x.green + 0.0722 * x.blue;
}

static double contrast(unsigned a, unsigned b)
{
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static double clip(double value)
{
    return fmin(fmax(value, 0), 1);
}

/* The colours as seen without red cones (Machado, Oliveira, Fernandes 2009). */
static struct light without_red_cones(struct light x)
{
    return (struct light){
        clip(0.152286 * x.red + 1.052583 * x.green - 0.204868 * x.blue),
        clip(0.114503 * x.red + 0.786281 * x.green + 0.099216 * x.blue),
        clip(-0.003882 * x.red - 0.048116 * x.green + 1.051998 * x.blue)};
}

static double root(double value)
{
    return value > 0.008856 ? cbrt(value) : 7.787 * value + 16 / 116.;
}

/* Distance in CIELAB: 2.3 is just noticeable side by side. */
static double distance(struct light a, struct light b)
{
    double lab[2][3];
    const struct light *const both[] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        const struct light *l = both[i];
        const double x =
            root((0.4124 * l->red + 0.3576 * l->green + 0.1805 * l->blue) / 0.9505);
        const double y = root(0.2126 * l->red + 0.7152 * l->green + 0.0722 * l->blue);
        const double z =
            root((0.0193 * l->red + 0.1192 * l->green + 0.9505 * l->blue) / 1.089);
        lab[i][0] = 116 * y;
        lab[i][1] = 500 * (x - y);
        lab[i][2] = 200 * (y - z);
    }
    return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) +
                pow(lab[0][2] - lab[1][2], 2));
}

static void what_is_written_can_be_read(void **state)
{
    (void)state;
    assert_close(contrast(0x000000, 0xffffff), 21, 1e-12);
    for (int group = 0; group < GROUPS; group++)
        for (int place = 0; place < PLACES; place++) {
            const unsigned fill = mt_tile_fill(group, place);
            assert_true(contrast(fill, mt_tile_ink(fill)) >= 4.5);
        }
    for (unsigned grey = 0; grey < 256; grey++)
        assert_true(contrast(grey * 0x10101, mt_tile_ink(grey * 0x10101)) >= 4.5);
}

static void groups_can_be_told_apart(void **state)
{
    (void)state;
    for (int i = 0; i < GROUPS * PLACES; i++)
        for (int j = 0; j < GROUPS * PLACES; j++) {
            const struct light one = lights_of(mt_tile_fill(i / PLACES, i % PLACES));
            const struct light other = lights_of(mt_tile_fill(j / PLACES, j % PLACES));
            if (i / PLACES == j / PLACES)
                continue;
            assert_true(distance(one, other) > 12);
            assert_true(distance(without_red_cones(one), without_red_cones(other)) >
                        12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_can_be_read),
        cmocka_unit_test(groups_can_be_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
