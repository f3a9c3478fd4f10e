/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/smpi/platform.h"

#include "tests/unit/test.h"

/* A platform as text and the routes that it has. */
struct platform {
    char *text; /* owned */
    int nroutes;
    struct route {
        char from[MT_PLATFORM_NAME], to[MT_PLATFORM_NAME];
    } routes[2000];
};

static struct platform *platform_make(struct mt_network network, int nodes, int used)
{
    char name[] = "pe";
    struct mt_group group = {
        .name = name, .nodes = nodes, .simulate = {.flops = 1e9, .cores = 1}};
    const struct mt_cluster cluster = {
        .launcher = MT_LAUNCH_SMPI, .groups = &group, .ngroups = 1, .network = network};
    const struct mt_configuration configuration = {
        .use[0] = {.nodes = used, .layout.processes = 1}};
    const struct mt_launch launch = {.cluster = &cluster,
                                     .configuration = &configuration};
    struct platform *platform = calloc(1, sizeof *platform);
    size_t length;
    assert_non_null(platform);
    FILE *stream = open_memstream(&platform->text, &length);
    assert_non_null(stream);
    mt_platform_write(&launch, stream);
    assert_int_equal(fclose(stream), 0);

    const char *at = platform->text;
    while ((at = strstr(at, "<route "))) {
        struct route *route = &platform->routes[platform->nroutes++];
        assert_in_range(platform->nroutes, 1, 2000);
        at += strlen("<route ");
        assert_int_equal(
            sscanf(at, "src=\"%31[^\"]\" dst=\"%31[^\"]\"", route->from, route->to), 2);
    }
    return platform;
}

static void platform_free(struct platform *platform)
{
    free(platform->text);
    free(platform);
}

static struct platform *torus(int nodes, int used)
{
    return platform_make((struct mt_network){.topology = MT_TOPOLOGY_TORUS,
                                             .latency = 2e-4,
                                             .bandwidth = 2e6,
                                             .hop_latency = 1e-6,
                                             .hop_bandwidth = 5e7},
                         nodes, used);
}

static void the_ring_is_whole(void **state)
{
    (void)state;
    struct platform *platform = torus(8, 6);
    assert_contains(platform->text, "<router id=\"router 7\"/>");
    assert_contains(platform->text,
                    "<route src=\"router 7\" dst=\"router 0\" symmetrical=\"NO\">"
                    "<link_ctn id=\"hop 7\" direction=\"UP\"/>");
    assert_contains(platform->text,
                    "<route src=\"router 0\" dst=\"router 7\" symmetrical=\"NO\">"
                    "<link_ctn id=\"hop 7\" direction=\"DOWN\"/>");
    assert_contains(platform->text, "<link id=\"hop 7\" bandwidth=\"50000000Bps\"");
    assert_null(strstr(platform->text, "host id=\"0.6\""));
    platform_free(platform);
}

/* 0 to 4 is as far one way as the other. */
static void half_a_ring_is_enough_for_its_nodes(void **state)
{
    (void)state;
    struct platform *platform = torus(8, 5);
    assert_contains(platform->text, "<link id=\"hop 3\"");
    assert_null(strstr(platform->text, "<link id=\"hop 4\""));
    assert_null(strstr(platform->text, "router 5"));
    platform_free(platform);
}

static struct platform *multistage(int ports, int nodes, int used)
{
    return platform_make((struct mt_network){.topology = MT_TOPOLOGY_MULTISTAGE,
                                             .latency = 5e-5,
                                             .bandwidth = 1e6,
                                             .switch_ports = ports,
                                             .switch_bandwidth = 2e6},
                         nodes, used);
}

static int power(int base, int exponent)
{
    return exponent > 0 ? base * power(base, exponent - 1) : 1;
}

static bool has_route(const struct platform *platform, const char *from, const char *to)
{
    for (int i = 0; i < platform->nroutes; i++)
        if (strcmp(platform->routes[i].from, from) == 0 &&
            strcmp(platform->routes[i].to, to) == 0)
            return true;
    return false;
}

/* Every way by destination tags is there, computed here from the digits. */
static void check_tags(const struct platform *platform, int ports, int stages, int from,
                       int to)
{
    char here[MT_PLATFORM_NAME], next[MT_PLATFORM_NAME];
    mt_platform_name(here, 0, from);
    for (int k = 0; k < stages; k++) {
        const int number = from % power(ports, stages - 1 - k) * power(ports, k) +
                           to / power(ports, stages - k);
        snprintf(next, sizeof next, "switch %d.%d", k, number);
        assert_true(has_route(platform, here, next));
        memcpy(here, next, sizeof here);
    }
    mt_platform_name(next, 0, to);
    assert_true(has_route(platform, here, next));
}

/* How many ways lead from here to there. */
static int ways(const struct platform *platform, const char *here, const char *there)
{
    int count = 0;
    for (int i = 0; i < platform->nroutes; i++)
        if (strcmp(platform->routes[i].from, here) == 0)
            count += strcmp(platform->routes[i].to, there) == 0 ||
                     (strncmp(platform->routes[i].to, "switch", 6) == 0 &&
                      ways(platform, platform->routes[i].to, there));
    return count;
}

static void there_is_one_way_through_an_omega_network(void **state)
{
    (void)state;
    static const struct {
        int ports, nodes, stages, used;
    } cases[] = {{2, 2, 1, 2}, {2, 8, 3, 8},  {2, 9, 4, 5},  {3, 9, 2, 7},
                 {4, 3, 1, 3}, {4, 17, 3, 6}, {4, 16, 2, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct platform *platform =
            multistage(cases[i].ports, cases[i].nodes, cases[i].used);
        for (int from = 0; from < cases[i].used; from++)
            for (int to = 0; to < cases[i].used; to++) {
                char a[MT_PLATFORM_NAME], b[MT_PLATFORM_NAME];
                mt_platform_name(a, 0, from);
                mt_platform_name(b, 0, to);
                if (from == to)
                    continue;
                check_tags(platform, cases[i].ports, cases[i].stages, from, to);
                assert_int_equal(ways(platform, a, b), 1);
            }
        platform_free(platform);
    }
}

static void a_bus_is_shared_by_all(void **state)
{
    (void)state;
    struct platform *platform = platform_make(
        (struct mt_network){
            .topology = MT_TOPOLOGY_BUS, .latency = 1e-3, .bandwidth = 5e6},
        4, 3);
    assert_contains(platform->text, "<link id=\"link 0.2\" bandwidth=\"5000000Bps\"");
    assert_contains(platform->text, "<backbone id=\"switch 0\" "
                                    "bandwidth=\"5000000Bps\"");
    platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ring_is_whole),
        cmocka_unit_test(half_a_ring_is_enough_for_its_nodes),
        cmocka_unit_test(there_is_one_way_through_an_omega_network),
        cmocka_unit_test(a_bus_is_shared_by_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
