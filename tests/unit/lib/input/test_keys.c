/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/keys.h"
#include "lib/machine/internal.h"

#include "tests/unit/test.h"

/* The text of a manual page's source; the caller frees it. */
static char *man_page(const char *name)
{
    char path[4096];
    const char *folder = getenv("MOTLEY_SOURCE");
    snprintf(path, sizeof path, "%s/man/motley-%s.5.scd", folder ? folder : ".", name);
    FILE *stream = fopen(path, "r");
    if (!stream)
        fail_msg("cannot open '%s'", path);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', stream) > 0);
    fclose(stream);
    return text;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || c == '-';
}

/* Whether the page has the key as a word, where '_' may be written '\_'. */
static bool mentions(const char *page, const char *key)
{
    while (*page && *++page) { /* a page begins with its title */
        const char *at = page, *letter = key;
        for (; *letter && *at; letter++, at++) {
            at += *letter == '_' && at[0] == '\\';
            if (*at != *letter)
                break;
        }
        if (!*letter && !is_letter(*at) && !is_letter(page[-1]))
            return true;
    }
    return false;
}

static void check_keys(const struct mt_yaml_key *keys, const char *page)
{
    for (; keys->name; keys++) {
        if (!keys->help || !*keys->help)
            fail_msg("the key '%s' has no help", keys->name);
        if (!mentions(page, keys->name))
            fail_msg("the manual page does not know the key '%s'", keys->name);
        if (keys->keys)
            check_keys(keys->keys, page);
        if (keys->list && keys->list->entry.keys)
            check_keys(keys->list->entry.keys, page);
    }
}

static void the_manual_knows_each_key(void **state)
{
    (void)state;
    static const struct {
        const char *page;
        const struct mt_yaml_key *keys;
    } kinds[] = {{"cluster", mt_cluster_keys},
                 {"program", mt_program_keys},
                 {"machine", mt_machine_keys}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *page = man_page(kinds[i].page);
        check_keys(kinds[i].keys, page);
        free(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_manual_knows_each_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
