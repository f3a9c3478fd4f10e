/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/hostlist.h"

#include "tests/unit/test.h"

#include <unistd.h>

static struct mt_hostlist parsed(const char *text)
{
    struct mt_error err = {0};
    struct mt_hostlist list = {0};
    if (mt_hostlist_parse(&list, text, &err) != MT_OK)
        fail_msg("'%s': %s", text, err.text);
    return list;
}

/* `text` stands for the hosts of `expanded`, which are separated by blanks. */
static void expands(const char *text, const char *expanded)
{
    struct mt_hostlist list = parsed(text);
    char joined[512] = "";
    size_t length = 0;
    for (int i = 0; i < list.count; i++)
        length += (size_t)snprintf(joined + length, sizeof joined - length, "%s%s",
                                   i > 0 ? " " : "", list.hosts[i]);
    assert_string_equal(joined, expanded);
    mt_hostlist_clear(&list);
}

static void refuses(const char *text, const char *reason)
{
    struct mt_error err = {0};
    struct mt_hostlist list = {0};
    assert_int_equal(mt_hostlist_parse(&list, text, &err), MT_EPARSE);
    assert_contains(err.text, reason);
    assert_int_equal(list.count, 0);
}

static void folds_to(const char *text, const char *folded)
{
    struct mt_hostlist list = parsed(text);
    char *again = mt_hostlist_format(list.hosts, list.count);
    assert_string_equal(again, folded);
    free(again);
    mt_hostlist_clear(&list);
}

static void expands_as_slurm_and_pdsh_do(void **state)
{
    (void)state;
    expands("login", "login");
    expands("x[1-3]", "x1 x2 x3");
    expands("x[08-11],login", "x08 x09 x10 x11 login");
    expands("x[01-02,12,7]", "x01 x02 x12 x7");
    expands("r[1-2]n[1-2].lab", "r1n1.lab r1n2.lab r2n1.lab r2n2.lab");
    expands("10.0.0.[1-2]", "10.0.0.1 10.0.0.2");
    expands("[1-2]", "1 2");
}

static void says_where_a_list_is_wrong(void **state)
{
    (void)state;
    refuses("", "a host name is missing at column 1");
    refuses("a,,b", "a host name is missing at column 3");
    refuses("a,", "a host name is missing at column 3");
    refuses("x[1-3", "a bracket that is not closed at column 2");
    refuses("x[]", "a number of 1 to 9 digits is missing at column 3");
    refuses("x[1-]", "a number of 1 to 9 digits is missing at column 5");
    refuses("x[3-1]", "a range that runs backwards at column 3");
    refuses("x[1;2]", "not a number, ',' or ']' in brackets at column 4");
    refuses("x[1234567890]", "a number of 1 to 9 digits is missing at column 3");
    refuses("a b", "a character that no host name has at column 2");
    refuses("x]", "a character that no host name has at column 2");
    refuses("x[1-3],x2", "a host that comes twice: 'x2'");
    refuses("x[0-999999999]", "more than 200,000 hosts");
    refuses("a-rather-long-name-of-a-host-in-a-rack-[0-199999]",
            "more than 4,000,000 characters of names");
    refuses("[1][1][1][1][1][1][1][1][1]", "more than 8 brackets");
}

static void refuses_endless_names(void **state)
{
    (void)state;
    char name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    refuses(name, "a name longer than 255 characters at column 256");
    snprintf(name + 250, sizeof name - 250, "[000000001-2][000000001-2]");
    refuses(name, "a name longer than 255 characters");
}

static void folds_neighbours(void **state)
{
    (void)state;
    folds_to("login", "login");
    folds_to("x1,x2,x3,x5", "x[1-3,5]");
    folds_to("x08,x09,x10,y,x11", "x[08-10],y,x11");
    folds_to("x9,x10,x011", "x[9-10,011]");
    folds_to("x3,x2,x1", "x[3,2,1]");
    folds_to("r1n1,r1n2,r2n1,r2n2", "r1n[1-2],r2n[1-2]");
    folds_to("n1-ib,n2-ib", "n[1-2]-ib");
    folds_to("n12345678901,n12345678902", "n12345678901,n12345678902");
    char *none = mt_hostlist_format(NULL, 0);
    assert_string_equal(none, "");
    free(none);
}

/* A name of a few kinds that look alike. */
static void random_name(char *name, size_t size)
{
    static const char *const formats[] = {"x%d", "x%02d", "x%03d.lab",
                                          "%d",  "a%d-1", "a1-%d"};
    snprintf(name, size, formats[rand() % 6], rand() % 12);
}

static void folded_lists_expand_to_the_same(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 2000; round++) {
        char text[512] = "", name[32];
        size_t length = 0;
        for (int i = 0; i < 8; i++) {
            random_name(name, sizeof name);
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       i > 0 ? "," : "", name);
        }
        struct mt_hostlist list = {0};
        if (mt_hostlist_parse(&list, text, NULL) != MT_OK)
            continue; /* a name came twice */
        char *folded = mt_hostlist_format(list.hosts, list.count);
        struct mt_hostlist again = parsed(folded);
        assert_int_equal(again.count, list.count);
        for (int i = 0; i < list.count; i++)
            assert_string_equal(again.hosts[i], list.hosts[i]);
        free(folded);
        mt_hostlist_clear(&again);
        mt_hostlist_clear(&list);
    }
}

static void knows_this_host(void **state)
{
    (void)state;
    char own[256] = "";
    assert_int_equal(gethostname(own, sizeof own - 1), 0);
    char local[] = "localhost", other[] = "another.invalid";
    char *const hosts[] = {other, own, local};
    assert_true(mt_any_is_this_host(hosts, 2) && mt_any_is_this_host(&hosts[2], 1));
    assert_false(mt_any_is_this_host(hosts, 1));
}

static void random_bytes_never_crash(void **state)
{
    (void)state;
    static const char alphabet[] = "ax01-9[],].\x80 ";
    srand(2);
    for (int round = 0; round < 20000; round++) {
        char text[24] = "";
        for (int i = 0; i < rand() % 23; i++)
            text[i] = alphabet[rand() % (int)(sizeof alphabet - 1)];
        struct mt_hostlist list = {0};
        if (mt_hostlist_parse(&list, text, NULL) == MT_OK)
            mt_hostlist_clear(&list);
        assert_int_equal(list.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expands_as_slurm_and_pdsh_do),
        cmocka_unit_test(says_where_a_list_is_wrong),
        cmocka_unit_test(refuses_endless_names),
        cmocka_unit_test(folds_neighbours),
        cmocka_unit_test(folded_lists_expand_to_the_same),
        cmocka_unit_test(knows_this_host),
        cmocka_unit_test(random_bytes_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
