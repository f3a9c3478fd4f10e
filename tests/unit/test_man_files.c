/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that the man pages show under EXAMPLES are good ones. */
#include "motley/cluster.h"
#include "motley/program.h"

#include "broken.h"

/* Loads the file at `path`; returns its status. */
typedef int load_function(const char *path, struct mt_error *err);

static int load_cluster(const char *path, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    int status = mt_cluster_load(&cluster, path, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int load_program(const char *path, struct mt_error *err)
{
    struct mt_program program = {0};
    int status = mt_program_load(&program, path, err);
    mt_program_clear(&program);
    return status;
}

enum { LARGEST_PAGE = 32768 };

/* The whole file man/NAME of the source tree. */
static void read_page(const char *name, char text[LARGEST_PAGE])
{
    const char *folder = getenv("MOTLEY_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/man/%s", folder ? folder : ".", name);
    FILE *stream = fopen(path, "re");
    if (!stream)
        fail_msg("cannot open '%s'", path);
    size_t length = fread(text, 1, LARGEST_PAGE, stream);
    assert_in_range(length, 1, LARGEST_PAGE - 1);
    text[length] = 0;
    fclose(stream);
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
        struct mt_error err = {0};
        const char *path = write_bytes(block, (size_t)(end - block));
        int status = load(path, &err);
        unlink(path);
        assert_string_equal(err.text, "");
        assert_int_equal(status, MT_OK);
        block = end + strlen(fence);
        count++;
    }
    return count;
}

static void examples_of_clusters_load(void **state)
{
    (void)state;
    assert_int_equal(load_examples("motley-cluster.5.scd", load_cluster), 3);
}

static void examples_of_programs_load(void **state)
{
    (void)state;
    assert_int_equal(load_examples("motley-program.5.scd", load_program), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_clusters_load),
        cmocka_unit_test(examples_of_programs_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
