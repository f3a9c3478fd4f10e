/* SPDX-License-Identifier: BSD-3-Clause */
/* The cluster, machine and program files that come with motley, or are examples of its
   man pages, are good ones. */
#include "motley/cluster.h"
#include "motley/machine.h"
#include "motley/program.h"

#include "broken.h"

#include <glob.h>

/* Loads the file at `path`; returns its status. */
typedef int load_function(const char *path, struct mt_error *err);

static int load_cluster(const char *path, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    int status = mt_cluster_load(&cluster, path, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int load_machine(const char *path, struct mt_error *err)
{
    struct mt_machine machine = {0};
    int status = mt_machine_load(&machine, path, err);
    mt_machine_clear(&machine);
    return status;
}

static int load_program(const char *path, struct mt_error *err)
{
    struct mt_program program = {0};
    int status = mt_program_load(&program, path, err);
    mt_program_clear(&program);
    return status;
}

enum { LARGEST_PAGE = 32768, LARGEST_PATH = 4096 };

/* The path of a file of the source tree. */
static void find_source(char path[LARGEST_PATH], const char *name)
{
    const char *folder = getenv("MOTLEY_SOURCE");
    snprintf(path, LARGEST_PATH, "%s/%s", folder ? folder : ".", name);
}

static void read_page(const char *name, char text[LARGEST_PAGE])
{
    char path[LARGEST_PATH];
    find_source(path, name);
    FILE *stream = fopen(path, "re");
    if (!stream)
        fail_msg("cannot open '%s'", path);
    size_t length = fread(text, 1, LARGEST_PAGE, stream);
    assert_in_range(length, 1, LARGEST_PAGE - 1);
    text[length] = 0;
    fclose(stream);
}

static void expect_good(const char *path, load_function *load)
{
    struct mt_error err = {0};
    int status = load(path, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
}

/* Load every literal block that begins with "# file: "; returns how many there are. */
static int load_examples(const char *page, load_function *load)
{
    static const char begin[] = "```\n# file: ", fence[] = "```";
    int count = 0;
    char text[LARGEST_PAGE];
    read_page(page, text);
    for (char *block = strstr(text, begin); block; block = strstr(block, begin)) {
        block += strlen(fence);
        char *end = strstr(block, fence);
        assert_non_null(end);
        const char *path = write_bytes(block, (size_t)(end - block));
        expect_good(path, load);
        unlink(path);
        block = end + strlen(fence);
        count++;
    }
    return count;
}

static void load_all(const char *pattern, load_function *load)
{
    char path[LARGEST_PATH];
    find_source(path, pattern);
    glob_t found;
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        expect_good(found.gl_pathv[i], load);
    globfree(&found);
}

static void shipped_clusters_load(void **state)
{
    (void)state;
    load_all("clusters/*.yaml", load_cluster);
}

static void shipped_machines_load(void **state)
{
    (void)state;
    load_all("machines/*.yaml", load_machine);
}

static void shipped_programs_load(void **state)
{
    (void)state;
    load_all("programs/*.yaml", load_program);
    load_all("programs/examples/*.yaml", load_program);
}

static void examples_of_clusters_load(void **state)
{
    (void)state;
    assert_int_equal(load_examples("man/motley-cluster.5.scd", load_cluster), 3);
}

static void examples_of_machines_load(void **state)
{
    (void)state;
    assert_int_equal(load_examples("man/motley-machine.5.scd", load_machine), 2);
}

static void examples_of_programs_load(void **state)
{
    (void)state;
    assert_int_equal(load_examples("man/motley-program.5.scd", load_program), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_clusters_load),
        cmocka_unit_test(shipped_machines_load),
        cmocka_unit_test(shipped_programs_load),
        cmocka_unit_test(examples_of_clusters_load),
        cmocka_unit_test(examples_of_machines_load),
        cmocka_unit_test(examples_of_programs_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
