/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine_cases.h"

static int load_machine(const char *path, struct mt_error *err)
{
    struct mt_machine machine = {0};
    const int status = mt_machine_load(&machine, path, err);
    assert_null(machine.name); /* unchanged */
    assert_null(machine.path);
    return status;
}

static void refuses_broken_keys(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"speed: 2 Mf\n", "", ":1: missing key 'speed'"},
        {"algorithms:\n", "algorithm:\n", ":6: unknown key 'algorithm'"},
        {"      steps:", "      step:",
         ":12: unknown key 'step' in 'compute' of algorithm 'A'"},
        {"    work: 2*N^3\n", "", ":7: missing key 'work' in algorithm 'A'"},
        {"    compute: {costs: [1 s]}\n", "",
         ":35: missing key 'compute' in algorithm 'B'"},
        {"{costs: [1 s]}", "{steps: N}",
         ":37: missing key 'costs' in 'compute' of algorithm 'B'"},
        {"overlap: false", "overlap: 0",
         ":29: 'overlap' of 'communication' of algorithm 'A' must be true or false"},
        {"      bytes: 8*N^2/P + 1\n", "",
         ":20: missing key 'bytes' in 'communication' of algorithm 'A'"},
        {"      messages: P - 1\n", "",
         ":20: missing key 'messages' in 'communication' of algorithm 'A'"},
        {"        base: 2 MB/s\n", "", ":24: missing key 'base' in 'bandwidth'"},
        {"      bandwidth:\n        base: 2 MB/s\n        half: 17 MB\n        "
         "contention: saturating\n        strength: 1.587\n        exponent: 1.5\n",
         "", ":20: 'communication' needs the key 'bandwidth', or 'latency'"},
        {"name: B", "name: A", ":35: algorithm 'A' comes twice"},
        {"name: B", "name: 'a:b'",
         ":35: algorithm name with a blank or one of ':,': 'a:b'"},
        {"name: B", "name: 'a b'", ":35: algorithm name with a blank"},
        {"{hit: 16 KiB, miss: 48 KiB}", "{hit: 16 KiB}",
         ":17: missing key 'miss' in entry 1 of 'caches'"},
        {"runs: 40", "runs: 0",
         ":31: 'runs' of 'learned' of algorithm 'A' must be at least 1, not 0"},
        {"nodes: 8", "nodes: -8",
         ":32: 'nodes' of 'learned' of algorithm 'A' must be at least 1, not -8"},
        {"[64, 1024]", "[64]",
         ":33: 'sizes' of 'learned' of algorithm 'A' has 1 entry, fewer than 2"},
        {"[64, 1024]", "[1024, 64]", ":33: 'sizes' must be the smallest and"},
        {"0.012", "-0.012",
         ":34: 'error' of 'learned' of algorithm 'A' must be at least 0, not -0.012"},
    };
    CHECK_BROKEN(load_machine, toy_machine, cases);
}

static void refuses_broken_numbers(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"nodes: 24", "nodes: 0", ":2: 'nodes' must be from 1 to 1000000, not 0"},
        {"2 Mf", "2000000", ":3: 'speed': a unit is missing: '2000000' (units: f kf"},
        {"2 Mf", "2 MB", ":3: 'speed': unknown unit 'MB'"},
        {"2 Mf", "0 Mf", ":3: 'speed' must be more than 0, not '0 Mf'"},
        {"16 MiB", "16 us", ":4: 'memory': unknown unit 'us'"},
        {"0.25 us", "0.25",
         ":15: entry 1 of 'costs' of 'compute' of algorithm 'A': a unit is missing: "
         "'0.25'"},
        {"0.25 us", "0 us",
         ":15: entry 1 of 'costs' of 'compute' of algorithm 'A' must be more than 0, "
         "not '0 us'"},
        {"0.25 us", "-1 us",
         ":15: entry 1 of 'costs' of 'compute' of algorithm 'A': not a positive "
         "number"},
        {"0.25 us", "0.28 us",
         ":15: 'costs' must not fall, as a step costs more beyond a cache: '0.27 us' "
         "after '0.28 us'"},
        {", 0.36 us", "", ":17: 'caches' has 2 entries, which need 3 'costs', not 2"},
        {"0.36 us]", "0.36 us, 1 us]", "which need 3 'costs', not 4"},
        {"[1 s]", "[1 s, 2 s]",
         ":37: 'caches' has 0 entries, which need 1 'costs', not 2"},
        {"[1 s]", "[1 s, 2 s, 3 s, 4 s, 5 s]",
         ":37: 'costs' of 'compute' of algorithm 'B' has 5 entries, more than 4"},
        {"steps: N^3/P\n", "near_steps: N\n",
         ":12: 'compute' has 'near_steps' but not 'near_cost'"},
        {"steps: N^3/P\n", "near_cost: 1 us\n",
         ":12: 'compute' has 'near_cost' but not 'near_steps'"},
        {"steps: N^3/P\n", "near_cost: 0 us\n",
         ":12: 'near_cost' of 'compute' of algorithm 'A' must be more than 0"},
        {"      working_set: 8*N^2/P\n", "", ":16: 'caches' needs the key 'working_s"},
        {"hit: 16 KiB", "hit: 16",
         ":17: 'hit' of entry 1 of 'caches' of 'compute' of algorithm 'A': a unit is "
         "missing"},
        {"hit: 16 KiB", "hit: 0 B",
         ":17: 'hit' of entry 1 of 'caches' of 'compute' of algorithm 'A' must be more "
         "than 0"},
        {"hit: 16 KiB", "hit: 64 KiB",
         ":17: 'miss' must be at least 'hit': '48 KiB' is less than '64 KiB'"},
        {"hit: 1 MiB", "hit: 47 KiB",
         ":18: 'caches' must go from the smallest to the largest: 'hit' 47 KiB is less "
         "than 'miss' 48 KiB before it"},
        {"latency: 0 us", "latency: 0",
         ":22: 'latency' of 'communication' of algorithm 'A': a unit is missing"},
        {"latency: 0 us", "latency: -1 us",
         ":22: 'latency' of 'communication' of algorithm 'A': not a positive number"},
        {"2 MB/s", "2 MB",
         ":24: 'base' of 'bandwidth' of 'communication' of algorithm 'A': unknown unit "
         "'MB'"},
        {"2 MB/s", "0 MB/s",
         ":24: 'base' of 'bandwidth' of 'communication' of algorithm 'A' must be more "
         "than 0"},
        {"17 MB", "17 MB/s",
         ":25: 'half' of 'bandwidth' of 'communication' of algorithm 'A': unknown unit "
         "'MB/s'"},
        {"saturating", "crowded",
         ":26: 'contention' of 'bandwidth' of 'communication' of algorithm 'A' must be "
         "one of none, saturating, shared, logarithmic, limited, power, stages, "
         "trunks, not 'crowded'"},
        {"        strength: 1.587\n", "",
         ":24: missing key 'strength' in 'bandwidth': contention saturating needs it"},
        {"        exponent: 1.5\n", "",
         ":24: missing key 'exponent' in 'bandwidth': contention saturating needs it"},
        {"saturating", "power", ":27: 'strength' is not for contention power"},
        {"saturating", "shared", ":28: 'exponent' is not for contention shared"},
        {"saturating\n        strength: 1.587\n        exponent: 1.5",
         "stages\n        strength: 1.5",
         ":26: 'contention: stages' needs 'network: {topology: multistage}' of the "
         "machine"},
        {"latency: 0 us", "hop: 1 us",
         ":22: 'hop' needs 'network: {topology: torus}' of the machine"},
        {"latency: 0 us", "lengths: [{bytes: 2 kB, as: 1 kB}, {bytes: 1 kB, as: 3 kB}]",
         ":22: 'lengths' must go from the shortest to the longest"},
        {"latency: 0 us", "lengths: [{bytes: 2 kB}]",
         ":22: missing key 'as' in entry 1 of 'lengths'"},
        {"simulated: true", "network: {topology: multistage}",
         ":5: missing key 'switch_ports' in 'network': topology multistage needs it"},
        {"simulated: true", "network: {topology: torus, switch_ports: 4}",
         ":5: 'switch_ports' is not for topology torus"},
        {"saturating\n        strength: 1.587\n        exponent: 1.5",
         "trunks\n        strength: 1.5",
         ":26: 'contention: trunks' needs 'network: {switch_ports: PORTS}' of the "
         "machine"},
        {"simulated: true", "network: {topology: torus, duplex: half}",
         ":5: 'duplex: half' is not for topology torus"},
        {"simulated: true", "network: {bandwidth: 1 GB/s}",
         ":5: 'bandwidth' and 'switch_bandwidth' of 'network' need each other"},
        {"simulated: true", "network: {switch_ports: 8, bandwidth: 1 GB/s}",
         ":5: 'bandwidth' and 'trunk_bandwidth' of 'network' need each other"},
        {"simulated: true",
         "network: {switch_ports: 8, bandwidth: 1 GB/s, switch_bandwidth: 1 GB/s}",
         ":5: 'switch_bandwidth' is for nodes on one switch; these have "
         "'switch_ports'"},
        {"simulated: true", "network: {bandwidth: 1 GB/s, trunk_bandwidth: 1 GB/s}",
         ":5: 'trunk_bandwidth' is for nodes on several switches, which have "
         "'switch_ports'"},
        {"simulated: true",
         "network: {topology: bus, bandwidth: 1 GB/s, switch_bandwidth: 1 GB/s}",
         ":5: bandwidths are for topologies switches and multistage, not for bus"},
        {"simulated: true", "network: {topology: multistage, switch_ports: 1}",
         ":5: 'switch_ports' of 'network' must be at least 2, not 1"},
        {"        contention: saturating\n", "",
         ":26: 'strength' is not for contention none"},
        {"strength: 1.587", "strength: -1",
         ":27: 'strength' of 'bandwidth' of 'communication' of algorithm 'A' must be "
         "at least 0, not -1"},
        {"exponent: 1.5", "exponent: -1",
         ":28: 'exponent' of 'bandwidth' of 'communication' of algorithm 'A' must be "
         "at least 0, not -1"},
        {"strength: 1.587", "strength: 3",
         ":27: strength is 3, so that messages between 2 processes take "
         "no"},
        {"saturating\n        strength: 1.587\n        exponent: 1.5",
         "power\n        exponent: 1e308",
         ":27: exponent is 1e+308; it can be up to 16"},
    };
    CHECK_BROKEN(load_machine, toy_machine, cases);
}

static void refuses_broken_expressions(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"2*N^3", "2*N^", ":8: 'work' of algorithm 'A': "},
        {"2*N^3", "N^3/P", ":8: 'work' of algorithm 'A' cannot depend on P"},
        {"2*N^3", "1/(N-64)^2", ":8: 'work' of algorithm 'A' has no value at N = 64"},
        {"24*N^2/P", "N*M", ":9: 'memory' of algorithm 'A' cannot depend on M"},
        {"24*N^2/P", "N - 1000",
         ":9: 'memory' of algorithm 'A' is negative at N = 32, P = 1"},
        {"N >= P && N > 16", "N > T",
         ":10: 'valid' of algorithm 'A' cannot depend on T"},
        {"N >= P && N > 16", "log(P - 8)",
         ":10: 'valid' of algorithm 'A' has no value at N = 16, P = 1"},
        {"N^3/P", "N^3/(P - 9)^2",
         ":12: 'steps' of 'compute' of algorithm 'A' has no value at N = 32, P = 9"},
        {"8*N^2/P", "N/(N - 2^20)",
         ":13: 'working_set' of 'compute' of algorithm 'A' is negative at N = 32, P = "
         "1"},
        {"8*N^2/P", "N/(N - 2^20)^2",
         ":13: 'working_set' of 'compute' of algorithm 'A' has no value at N = "
         "1048576, P = 1"},
        {"P*ceil(N/P)/N", "T",
         ":14: 'imbalance' of 'compute' of algorithm 'A' cannot depend on T"},
        {"P - 1", "P - 2",
         ":20: 'messages' of 'communication' of algorithm 'A' is negative at N = 32, P "
         "= 1"},
        {"P - 1", "1/(P - 24)^2",
         ":20: 'messages' of 'communication' of algorithm 'A' has no value at N = 32, "
         "P = 24"},
        {"8*N^2/P + 1", "8*N/(P - 1)",
         ":21: 'bytes' of 'communication' of algorithm 'A' has no value at N = 32, P = "
         "1"},
        {"8*N^2/P + 1", "8*N\n      mean_bytes: 8*(1 - P)",
         ":22: 'mean_bytes' of 'communication' of algorithm 'A' is negative at N = 32, "
         "P = 2"},
        {"exponent: 1.5", "exponent: 1.5\n        evens_out: true",
         ":29: 'evens_out' needs the keys 'bytes' and 'mean_bytes'"},
    };
    CHECK_BROKEN(load_machine, toy_machine, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_broken_keys),
        cmocka_unit_test(refuses_broken_numbers),
        cmocka_unit_test(refuses_broken_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
