/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/yaml/yaml_file.h"

#include "broken.h"

static const char file[] = "name: a\n"
                           "list:\n"
                           "  - &first [1, 2]\n"
                           "  - *first\n"
                           "map: {key: value, '': x}\n";

static struct mt_yaml *opened(const char *text)
{
    struct mt_yaml *yaml = NULL;
    struct mt_error err = {0};
    const char *path = write_text(text);
    if (mt_yaml_open(&yaml, path, &err) != MT_OK)
        fail_msg("%s", err.text);
    unlink(path);
    return yaml;
}

static void finds_nodes(void **state)
{
    (void)state;
    struct mt_yaml *yaml = opened(file);
    const int root = mt_yaml_root(yaml), map = mt_yaml_member(yaml, root, "map");
    assert_int_equal(mt_yaml_kind(yaml, root), MT_YAML_MAPPING);
    assert_int_equal(mt_yaml_count(yaml, root), 3);
    assert_string_equal(mt_yaml_text(yaml, mt_yaml_key_node(yaml, root, 2)), "map");
    assert_string_equal(mt_yaml_text(yaml, mt_yaml_member(yaml, map, "key")), "value");
    assert_string_equal(mt_yaml_text(yaml, mt_yaml_item(yaml, map, 1)), "x");
    assert_int_equal(mt_yaml_member(yaml, map, "value"), 0);
    mt_yaml_close(yaml);
}

static void an_alias_is_what_it_stands_for(void **state)
{
    (void)state;
    struct mt_yaml *yaml = opened(file);
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "list");
    assert_int_equal(mt_yaml_kind(yaml, list), MT_YAML_SEQUENCE);
    assert_int_equal(mt_yaml_item(yaml, list, 0), mt_yaml_item(yaml, list, 1));
    assert_int_equal(mt_yaml_count(yaml, mt_yaml_item(yaml, list, 1)), 2);
    mt_yaml_close(yaml);
}

/* All functions accept node 0, so that missing nodes need no check. */
static void no_node_has_nothing(void **state)
{
    (void)state;
    struct mt_yaml *yaml = opened(file);
    struct mt_error err = {0};
    assert_int_equal(mt_yaml_kind(yaml, 0), MT_YAML_NONE);
    assert_null(mt_yaml_text(yaml, 0));
    assert_int_equal(mt_yaml_count(yaml, 0), 0);
    assert_int_equal(mt_yaml_item(yaml, 0, 0), 0);
    assert_int_equal(mt_yaml_member(yaml, 0, "a"), 0);
    const int name = mt_yaml_member(yaml, mt_yaml_root(yaml), "name");
    assert_int_equal(mt_yaml_item(yaml, name, 0), 0);
    assert_int_equal(mt_yaml_item(yaml, mt_yaml_root(yaml), -1), 0);
    assert_int_equal(mt_yaml_item(yaml, mt_yaml_root(yaml), 3), 0);
    assert_int_equal(mt_yaml_fail(yaml, 0, &err, "bad %d", 7), MT_EINVAL);
    assert_contains(err.text, ":1: bad 7");
    mt_yaml_close(yaml);
    mt_yaml_close(NULL);
}

static int load(const char *path, struct mt_error *err)
{
    struct mt_yaml *yaml = NULL;
    const int status = mt_yaml_open(&yaml, path, err);
    assert_true((status == MT_OK) == (yaml != NULL));
    mt_yaml_close(yaml);
    return status;
}

static void refuses_what_is_not_yaml(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {NULL, "", ":1: the file is empty"},
        {NULL, "# nothing\n", ":1: the file is empty"},
        {"[1, 2]", "[1, 2", ":5: not YAML: "},
        {"map: {", " map: {", ":5: not YAML: "},
        {"name: a", "name:\t'1", "not YAML: "},
        {"name: a", "name: x\001on", ":1: not YAML: control characters are not"},
        {"key: value", "key: x\377on", ":5: not YAML: "},
        {"key: value", "key: \"x\\0on\"", ":5: text with a NUL character: 'x'"},
        {"*first", "*nobody", ":4: not YAML: an alias without an anchor"},
        {"*first", "&first b", ":4: not YAML: an anchor comes twice"},
        {"name: a", "name: &a *a", "not YAML: "},
        {"map: {key: value, '': x}\n", "---\nname: b\n",
         ":5: a second document in the file"},
    };
    CHECK_BROKEN(load, file, cases);
}

static void refuses_files_that_cannot_be_read(void **state)
{
    (void)state;
    expect_refused(load, "/tmp/motley-test-no-such-file", "No such file");
    expect_refused(load, "/tmp", "Is a directory");
    expect_refused(load, "/dev/zero", "file is larger than 1 MiB");
}

static void refuses_deep_nesting(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    char *text = malloc(LENGTH);
    memset(text, '[', LENGTH);
    const char *path = write_bytes(text, LENGTH);
    expect_refused(load, path, ":1: nested too deeply");
    unlink(path);
    free(text);
}

static void refuses_very_many_anchors(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    for (int i = 0; i < 1001; i++)
        fprintf(stream, "- &a%d x\n", i);
    fclose(stream);
    const char *path = write_text(text);
    expect_refused(load, path, ":1001: too many anchors");
    unlink(path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_nodes),
        cmocka_unit_test(an_alias_is_what_it_stands_for),
        cmocka_unit_test(no_node_has_nothing),
        cmocka_unit_test(refuses_what_is_not_yaml),
        cmocka_unit_test(refuses_files_that_cannot_be_read),
        cmocka_unit_test(refuses_deep_nesting),
        cmocka_unit_test(refuses_very_many_anchors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
