/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/job.h"
#include "cli/launch/smpi/platform.h"
#include "lib/base/argv.h"

#include "tests/unit/test.h"

/* Two nodes of two processes and one of one, out of three and two. */
struct fixture {
    struct mt_cache caches[2];
    struct mt_group groups[2];
    struct mt_cluster cluster;
    struct mt_configuration configuration;
    struct mt_launch launch;
};

static int set_up(void **state)
{
    static char fast[] = "fast", slow[] = "slow";
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    *f = (struct fixture){
        .caches = {{32768, 1.5, false}, {524288, 2, true}},
        .groups = {{.name = fast, .nodes = 3}, {.name = slow, .nodes = 2}},
        .cluster = {.launcher = MT_LAUNCH_SMPI,
                    .groups = f->groups,
                    .ngroups = 2,
                    .network = {.latency = 5e-5, .bandwidth = 9e7}},
        .configuration = {.use[0] = {.nodes = 2, .layout.processes = 2},
                          .use[1] = {.nodes = 1, .layout.processes = 1}},
        .launch = {.cluster = &f->cluster, .configuration = &f->configuration},
    };
    f->groups[0].simulate = (struct mt_simulated_node){
        .flops = 2e9, .cores = 1, .caches = f->caches, .ncaches = 2};
    f->groups[1].simulate = (struct mt_simulated_node){.flops = 1e9, .cores = 1};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* The text that `write` writes for the launch; the caller frees it. */
static char *written(void (*write)(const struct mt_launch *, FILE *),
                     const struct fixture *f)
{
    const size_t room = 65536;
    char *text = calloc(1, room);
    assert_non_null(text);
    FILE *stream = fmemopen(text, room, "w");
    assert_non_null(stream);
    write(&f->launch, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void test_ranks_fill_node_after_node(void **state)
{
    char *hostfile = written(mt_launcher_smpi.write_hostfile, *state);
    assert_string_equal(hostfile, "0.0\n0.0\n0.1\n0.1\n1.0\n");
    free(hostfile);
}

static void test_platform_has_the_nodes_in_use(void **state)
{
    char *platform = written(mt_platform_write, *state);
    assert_contains(platform, "<host id=\"0.1\" speed=\"2000000000f\" core=\"2\">");
    assert_contains(platform, "<host id=\"1.0\" speed=\"1000000000f\" core=\"1\">");
    assert_contains(platform, "value=\"32768:1.5 524288:2:g\"");
    assert_contains(platform, "<link id=\"link 1.0\" bandwidth=\"90000000Bps\" "
                              "latency=\"2.5000000000000001e-05s\"");
    /* Two processes on one core have half the bandwidth. */
    assert_contains(platform, "<link id=\"link 0.1\" bandwidth=\"45000000Bps\"");
    assert_null(strstr(platform, "\"0.2\""));
    assert_null(strstr(platform, "\"1.1\""));
    assert_null(strstr(platform, "backbone"));
    free(platform);
}

static void test_loopback_has_a_default(void **state)
{
    struct fixture *f = *state;
    struct mt_simulated_node *slow = &f->groups[1].simulate;
    char *usual = written(mt_platform_write, f);
    slow->loopback_bandwidth = 1e9;
    slow->loopback_latency = 0.25;
    char *given = written(mt_platform_write, f);
    assert_contains(usual, "<link id=\"loopback 1.0\" bandwidth=\"5000000000Bps\"");
    assert_contains(given, "<link id=\"loopback 1.0\" bandwidth=\"1000000000Bps\" "
                           "latency=\"0.25s\"");
    free(given);
    free(usual);
}

static void test_refuses_paths_that_simgrid_would_split(void **state)
{
    const struct fixture *f = *state;
    struct mt_job job = {0};
    struct mt_error err = {0};
    char program[] = "/bin/lu";
    char *const command[] = {program, NULL};
    assert_int_equal(
        mt_launcher_smpi.build(&f->launch, "/tmp/a b/hostfile", command, &job, &err),
        MT_EINVAL);
    assert_contains(err.text, "'/tmp/a b/hostfile'; set TMPDIR");
    assert_null(job.argv);
}

static void test_switch_is_a_backbone(void **state)
{
    struct fixture *f = *state;
    f->cluster.network.switch_bandwidth = 4e9;
    char *platform = written(mt_platform_write, f);
    assert_contains(platform, "<backbone id=\"switch 0\" bandwidth=\"4000000000Bps\"");
    free(platform);
}

static void test_switches_have_trunks(void **state)
{
    struct fixture *f = *state;
    f->groups[1].network_switch = 1;
    f->cluster.network.switches = 2;
    f->cluster.network.trunk_latency = 0.5;
    f->cluster.network.trunk_bandwidth = 8e7;
    char *platform = written(mt_platform_write, f);
    assert_contains(platform, "<zone id=\"zone 0\" routing=\"Cluster\">\n"
                              "<host id=\"0.0\"");
    assert_contains(platform, "<zone id=\"zone 1\" routing=\"Cluster\">\n"
                              "<host id=\"1.0\"");
    assert_contains(platform,
                    "<link id=\"trunk 1\" bandwidth=\"80000000Bps\" latency=\"0.25s\"");
    assert_contains(platform, "<zoneRoute src=\"zone 1\" dst=\"zone 0\"");
    free(platform);
}

/* One factor for all nodes, and for their memory. */
static void test_noise_is_common_to_the_nodes(void **state)
{
    struct fixture *f = *state;
    f->groups[0].simulate.noise = f->groups[1].simulate.noise = 0.05;
    f->groups[1].simulate.memory_bandwidth = 1e9;
    char *platform = written(mt_platform_write, f);
    double speeds[3];
    const char *at = platform;
    for (int i = 0; i < 3; i++) {
        at = strstr(at, "speed=\"") + strlen("speed=\"");
        speeds[i] = strtod(at, NULL);
    }
    at = strstr(at, "memory_bandwidth\" value=\"");
    const double memory = strtod(at + strlen("memory_bandwidth\" value=\""), NULL);
    assert_close(speeds[0], speeds[1], 0);
    assert_close(speeds[0], 2 * speeds[2], 1e-15);
    assert_close(speeds[2], memory, 1e-15);
    assert_true(fabs(memory / 1e9 - 1) > 1e-6);
    free(platform);
}

static void test_noise_depends_on_the_seed_alone(void **state)
{
    struct fixture *f = *state;
    f->groups[0].simulate.noise = 0.05;
    char *first = written(mt_platform_write, f), *again = written(mt_platform_write, f);
    f->launch.seed = 7;
    char *other = written(mt_platform_write, f);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    free(other);
    free(again);
    free(first);
}

/* A thousand runs' speeds have the median and the deviation that were asked for. */
static void test_noise_has_its_deviation(void **state)
{
    struct fixture *f = *state;
    f->groups[0].simulate.noise = 0.02;
    double sum = 0, squares = 0;
    const int runs = 1000;
    for (int i = 0; i < runs; i++) {
        f->launch.seed = (unsigned)i;
        char *platform = written(mt_platform_write, f);
        const double deviation =
            log(strtod(strstr(platform, "speed=\"") + strlen("speed=\""), NULL) / 2e9);
        sum += deviation;
        squares += deviation * deviation;
        free(platform);
    }
    assert_true(fabs(sum / runs) < 0.003);
    assert_close(sqrt(squares / runs), 0.02, 0.1);
}

static void test_odd_node_is_slower(void **state)
{
    struct fixture *f = *state;
    f->groups[0].simulate.odd = (struct mt_odd_node){2, 1.25, 3};
    char *platform = written(mt_platform_write, f);
    assert_contains(platform, "<host id=\"0.0\" speed=\"2000000000f\"");
    assert_contains(platform, "<host id=\"0.1\" speed=\"1600000000f\"");
    assert_contains(platform, "<link id=\"link 0.0\" bandwidth=\"45000000Bps\"");
    assert_contains(platform, "<link id=\"link 0.1\" bandwidth=\"15000000Bps\"");
    free(platform);
}

static void test_incast_is_told_to_many_nodes_only(void **state)
{
    struct fixture *f = *state;
    struct mt_incast_step steps[] = {{4096, 0.17}, {65536, 0.4}};
    f->cluster.network.incast = (struct mt_incast){1000, steps, 2};
    char *platform = written(mt_platform_write, f);
    assert_null(strstr(platform, "incast"));
    free(platform);
    f->cluster.network.incast.nodes = 2;
    platform = written(mt_platform_write, f);
    assert_contains(platform, "<prop id=\"incast\" value=\"4096:0.17 65536:0.4\"/>");
    free(platform);
}

/* The word of the job that begins so, or NULL. */
static const char *find_word(const struct mt_job *job, const char *begin)
{
    for (char **word = job->argv; *word; word++)
        if (strncmp(*word, begin, strlen(begin)) == 0)
            return *word;
    return NULL;
}

/* The sizes outside keep SMPI's own shares. SMPI adds 16 bytes to each message. */
static void test_dip_changes_the_shares_inside(void **state)
{
    struct fixture *f = *state;
    char program[] = "/opt/solver";
    char *const command[] = {program, NULL};
    struct mt_job job = {0};
    assert_int_equal(mt_launcher_smpi.build(&f->launch, "h", command, &job, NULL),
                     MT_OK);
    assert_null(find_word(&job, "--cfg=smpi/bw-factor"));
    mt_job_clear(&job);

    f->cluster.network.dip = (struct mt_dip){9000, 20000, 2};
    assert_int_equal(mt_launcher_smpi.build(&f->launch, "h", command, &job, NULL),
                     MT_OK);
    assert_string_equal(find_word(&job, "--cfg=smpi/bw-factor"),
                        "--cfg=smpi/bw-factor:9015:0.543695;20015:0.697866;0:0.812084;"
                        "257:0.338112;732:0.341987;1426:0.608902;3484:0.77493;"
                        "5776:1.08739;9376:0.293645;15424:0.348933;65472:0.940694");
    mt_job_clear(&job);

    f->cluster.network.dip = (struct mt_dip){1e300, 1e308, 2};
    assert_int_equal(mt_launcher_smpi.build(&f->launch, "h", command, &job, NULL),
                     MT_OK);
    assert_contains(find_word(&job, "--cfg=smpi/bw-factor"),
                    ":1000000000000015:0.470347;1000000000000015:0.940694;0:0.812084;");
    mt_job_clear(&job);
}

static void test_bare_messages_have_no_protocol(void **state)
{
    struct fixture *f = *state;
    char program[] = "/opt/solver";
    char *const command[] = {program, NULL};
    struct mt_job job = {0};
    f->cluster.network.bare = true;
    assert_int_equal(mt_launcher_smpi.build(&f->launch, "h", command, &job, NULL),
                     MT_OK);
    assert_null(find_word(&job, "--cfg=network/model:SMPI"));
    assert_non_null(find_word(&job, "--cfg=network/model:CM02"));
    assert_non_null(find_word(&job, "--cfg=network/crosstraffic:no"));
    assert_non_null(find_word(&job, "--cfg=network/TCP-gamma:0"));
    mt_job_clear(&job);
}

static void test_job_of_a_strange_program(void **state)
{
    struct fixture *f = *state;
    char program[] = "/opt/solver", size[] = "--size", n[] = "100";
    char *command[] = {program, size, n, NULL};
    struct mt_job job = {0};
    assert_int_equal(
        mt_launcher_smpi.build(&f->launch, "/tmp/ranks", command, &job, NULL), MT_OK);
    assert_string_equal(job.argv[0], "/opt/solver");
    assert_string_equal(job.argv[1], "--cfg=smpi/privatization:dlopen");
    assert_string_equal(job.argv[2], "--cfg=smpi/hostfile:/tmp/ranks");
    int last = 0;
    while (job.argv[last + 1])
        last++;
    assert_string_equal(job.argv[last], "100");
    assert_string_equal(job.argv[last - 2], "./platform.xml");
    assert_string_equal(job.env[0], "OPENBLAS_NUM_THREADS=1");
    mt_argv_free(job.argv);
    mt_argv_free(job.env);
}

static void test_folder_that_is_not_there(void **state)
{
    struct fixture *f = *state;
    char program[] = "/opt/solver";
    char *command[] = {program, NULL};
    struct mt_job job = {0};
    struct mt_error err;
    f->launch.folder = "/nowhere";
    assert_int_equal(mt_launcher_smpi.build(&f->launch, "h", command, &job, &err),
                     MT_EIO);
    assert_contains(err.text, "cannot write '/nowhere/platform.xml'");
    mt_argv_free(job.argv);
    mt_argv_free(job.env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ranks_fill_node_after_node, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_platform_has_the_nodes_in_use, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_loopback_has_a_default, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refuses_paths_that_simgrid_would_split,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_switch_is_a_backbone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_switches_have_trunks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_noise_is_common_to_the_nodes, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_noise_depends_on_the_seed_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_noise_has_its_deviation, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_odd_node_is_slower, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_incast_is_told_to_many_nodes_only, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_dip_changes_the_shares_inside, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_bare_messages_have_no_protocol, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_job_of_a_strange_program, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_folder_that_is_not_there, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
