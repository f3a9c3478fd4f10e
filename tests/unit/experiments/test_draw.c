/* SPDX-License-Identifier: BSD-3-Clause */
/* The random clusters and programs of experiments/blind. */
#include "cli/process/scratch.h"
#include "experiments/blind/draw.h"
#include "tests/unit/test.h"

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/program.h"

#include <unistd.h>

enum { SEEDS = 80 };

static char *file_of(const char *folder, uint64_t seed, const char *name)
{
    char *path;
    assert_true(asprintf(&path, "%s/%d/%s.yaml", folder, (int)seed, name) > 0);
    return path;
}

static void draw(const char *folder, uint64_t seed)
{
    struct mt_error err = {0};
    char *own;
    assert_true(asprintf(&own, "%s/%d", folder, (int)seed) > 0);
    if (draw_files(own, seed, &err) != MT_OK)
        fail_msg("seed %d: %s", (int)seed, err.text);
    free(own);
}

static char *text_of(const char *folder, uint64_t seed, const char *name)
{
    char *path = file_of(folder, seed, name), *text = NULL;
    size_t room = 0;
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_true(getdelim(&text, &room, 0, stream) > 0);
    fclose(stream);
    free(path);
    return text;
}

static int make_folder(void **state)
{
    char *folder;
    if (chdir(getenv("MOTLEY_SOURCE")) != 0 || mt_scratch_make(&folder, NULL) != MT_OK)
        return -1;
    *state = folder;
    return 0;
}

static int remove_folder(void **state)
{
    mt_scratch_remove(*state);
    return 0;
}

static void check_cluster(const char *folder, uint64_t seed)
{
    struct mt_cluster cluster = {0};
    struct mt_error err = {0};
    char *path = file_of(folder, seed, "cluster");
    int ranks = 0, nodes = 0;
    if (mt_cluster_load(&cluster, path, &err) != MT_OK)
        fail_msg("%s", err.text);
    assert_in_range(cluster.ngroups, 1, 6);
    for (int g = 0; g < cluster.ngroups; g++) {
        const struct mt_group *group = &cluster.groups[g];
        assert_in_range(group->nodes, 1, 24);
        assert_in_range(group->simulate.cores, 1, 64);
        nodes += group->nodes;
        ranks += group->nodes * group->layouts[group->nlayouts - 1].processes;
    }
    assert_in_range(nodes, 4, 6 * 24);
    assert_in_range(ranks, 16, 256);
    mt_cluster_clear(&cluster);
    free(path);
}

static void check_program(const char *folder, uint64_t seed, const char *name)
{
    struct mt_program program = {0};
    struct mt_error err = {0};
    char *path = file_of(folder, seed, name);
    if (mt_program_load(&program, path, &err) != MT_OK)
        fail_msg("%s", err.text);
    assert_in_range(program.nmeasure_sizes, 5, 7);
    assert_in_range(program.nplan_sizes, 3, 6);
    const double largest = program.measure_sizes[program.nmeasure_sizes - 1];
    /* Equal where both are rounded to a power of two. */
    assert_in_range(program.plan_sizes[program.nplan_sizes - 1], largest,
                    4.5 * largest);
    assert_true(program.plan_sizes[0] < largest);
    mt_program_clear(&program);
    free(path);
}

static void can_be_read_and_are_as_promised(void **state)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(*state, seed);
        check_cluster(*state, seed);
        for (int i = 0; i < PROGRAMS; i++)
            check_program(*state, seed, program_names[i]);
    }
}

static void are_the_same_for_the_same_seed(void **state)
{
    char *again;
    assert_int_equal(mt_scratch_make(&again, NULL), MT_OK);
    draw(again, 7);
    for (int i = 0; i < PROGRAMS; i++) {
        char *first = text_of(*state, 7, program_names[i]),
             *second = text_of(again, 7, program_names[i]);
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
    mt_scratch_remove(again);
}

static void differ_by_the_seed(void **state)
{
    const char *const names[] = {"cluster", "lu", "random-1"};
    for (int i = 0; i < 3; i++) {
        char *one = text_of(*state, 1, names[i]), *other = text_of(*state, 2, names[i]);
        assert_string_not_equal(one, other);
        free(one);
        free(other);
    }
}

/* What a site would not know of its own: the network of several switches is in what
   SMPI needs, and nowhere else; nor does a random program say its messages. */
static void give_nothing_away(void **state)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (int i = SHIPPED_PROGRAMS; i < PROGRAMS; i++) {
            char *program = text_of(*state, seed, program_names[i]);
            assert_null(strstr(program, "surface:"));
            assert_null(strstr(program, "terms:"));
            assert_int_equal(strstr(program, "\nwork:") != NULL,
                             (i - SHIPPED_PROGRAMS) % 2 == 0);
            free(program);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(can_be_read_and_are_as_promised),
        cmocka_unit_test(are_the_same_for_the_same_seed),
        cmocka_unit_test(differ_by_the_seed),
        cmocka_unit_test(give_nothing_away),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
