# Draws a machine of the blind study from a seed: its cluster file, on standard output.
#
#   awk -v seed=N -f draw.awk
#
# The first line is a comment that says which program it is asked about, and how many
# nodes are learned from.

# Uniform in [0, 1), by the generator of Park and Miller.
function chance() {
    state = (state * 16807) % 2147483647
    return state / 2147483647
}

function between(low, high) { return low * exp(chance() * log(high / low)) }

function one_of(list,    words, count) {
    count = split(list, words, " ")
    return words[1 + int(chance() * count)]
}

function rounded(value,    power) {
    power = 10 ^ (int(log(value) / log(10) + 100) - 102)
    return int(value / power + 0.5) * power
}

function caches_text(    text, count, size, slower, i) {
    count = int(chance() * 4)
    size = between(4096, 65536)
    slower = 1
    for (i = 0; i < count; i++) {
        slower *= 1 + between(0.04, 0.6)
        text = text sprintf("        - {size: %d B, slowdown: %.3f, gradual: %s}\n", \
            size, slower, one_of("true true false"))
        size *= between(8, 64)
    }
    return text
}

BEGIN {
    state = (seed ^ 3 * 31 + seed * 7919 + 12345) % 2147483647
    for (i = 0; i < 10; i++)
        chance()
    nodes = int(between(16, 512.999))
    program = one_of("matmul-a matmul-b")
    topology = one_of("switches switches bus torus multistage multistage")
    learned = nodes < 25 || (program == "matmul-a" && nodes <= 128) ? 9 : 16
    printf "# %s %d\n", program, learned
    printf "name: blind-%d\nlauncher: smpi\ngroups:\n  - name: pe\n", seed
    # Of a step, 2 operations at half of the speed.
    flops = between(10, 10000)
    printf "    nodes: %d\n    processes: [1]\n    simulate:\n", nodes
    printf "      flops: %g Mf\n", rounded(flops)
    cached = caches_text()
    if (cached != "")
        printf "      caches:\n%s", cached
    printf "      noise: %g\n", rounded(between(0.002, 0.02))
    # A byte takes as long as 0.1 to 3 steps, a latency as 30 to 3000.
    step = 4e-6 / flops
    bandwidth = 1 / (step * between(0.1, 3))
    latency = step * between(30, 3000)
    printf "network:\n  topology: %s\n", topology
    printf "  protocol: %s\n", topology == "switches" ? one_of("none none tcp") : "none"
    printf "  latency: %g us\n  bandwidth: %g kB/s\n", rounded(1e6 * latency), \
        rounded(bandwidth / 1e3)
    if (topology == "torus")
        printf "  hop: {latency: %g us, bandwidth: %g kB/s}\n", \
            rounded(1e6 * latency * between(0.001, 0.3)), \
            rounded(bandwidth / 1e3 * between(1, 20))
    if (topology == "multistage")
        printf "  switch_ports: %d\n  switch_bandwidth: %g kB/s\n", one_of("2 4 4 8"), \
            rounded(bandwidth / 1e3 * between(0.8, 4))
    if (topology == "switches" && chance() < 0.5)
        printf "  switch_bandwidth: %g kB/s\n", rounded(bandwidth / 1e3 * between(2, 64))
    else if (topology == "switches" && chance() < 0.5)
        print "  duplex: half"
}
