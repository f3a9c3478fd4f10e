# What the study comes to: from the files that 'run' leaves to one object a metric.

def percent: . * 100 | round / 100;

def errors: if length == 0 then {points: 0, mean: null, worst: null, at: "-"}
    else max_by(.error_percent | fabs) as $worst
         | {points: length, mean: (map(.error_percent | fabs) | add / length | percent),
            worst: ($worst.error_percent | fabs | percent),
            at: "P = \($worst.nodes), N = \($worst.size)"} end;

# Whether each node has as many rows, or a block of the same size.
def divides($algorithm):
    .size % (if $algorithm == "matmul-b" then .nodes | sqrt | round else .nodes end) == 0;

# Predicted against simulated times on more nodes than were learned from.
def beyond($learned; $share):
    .algorithm as $algorithm
    | ([.nodes[] | select(.nodes > $learned and .ridge != null) | .ridge.steps] | max) as $steps
    | {experiment: "surface", machine, algorithm: $algorithm, learned_nodes: $learned,
       learned_runs: ([.points[] | select(.nodes <= $learned)] | length),
       predicted_nodes: ([.points[].nodes] | max), share: $share, simulated: true,
       paper: null} as $case
    | ([.points[] | select(.nodes > $learned)] | errors) as $all
    | ([.points[] | select(.nodes > $learned and divides($algorithm))] | errors) as $even
    | ([$all, "all sizes"], [$even, "sizes that the nodes divide"]
       | .[0] as $found | .[1] as $sizes
       | ($case + {metric: "mean error of E", sizes: $sizes, unit: "%",
                   points: $found.points, value: $found.mean}),
         ($case + {metric: "worst error of E", sizes: $sizes, unit: "%",
                   points: $found.points, value: $found.worst, at: $found.at})),
      ($case + {metric: "ridge off by", sizes: "all sizes", unit: "grid steps",
                points: null, value: $steps});

# Where b becomes the faster one, between the numbers of nodes that were run.
def overtaken($a; $b; $size):
    ($b.points | map(select(.size == $size) | {key: "\(.nodes)", value: .seconds})
     | from_entries) as $seconds
    | [$a.points[] | select(.size == $size and $seconds["\(.nodes)"] != null)
       | {nodes, log: (.seconds / $seconds["\(.nodes)"] | log)}] | sort_by(.nodes)
    | . as $all
    | [range(1; length) | select($all[. - 1].log < 0 and $all[.].log >= 0)] | last as $i
    | $all[$i - 1] as $before | $all[$i] as $after
    | $before.nodes + ($after.nodes - $before.nodes)
        * ($before.log / ($before.log - $after.log));

def overtakes: [.changes[] | select(.faster == "b")] | last.nodes;

def crossing($predicted; $a; $b):
    overtaken($a; $b; $predicted.changes[0].size) as $true
    | ($predicted | overtakes) as $found
    | {experiment: "surface", machine: "ap1000 over cenju-3", algorithm: "matmul-a",
       metric: "nodes from which it is faster, N = 2048", unit: "nodes",
       value: $found, truth: ($true | . * 10 | round / 10), simulated: true, paper: 160},
      ({experiment: "surface", machine: "ap1000 over cenju-3", algorithm: "matmul-a",
        metric: "error of the crossing, N = 2048", unit: "%", paper: null, simulated: true,
        value: (($found / $true - 1) | fabs * 100 | percent)});

# The paper's own parameters.
def papers($crossing; $ap1000; $cenju; $one):
    def case: {experiment: "surface", algorithm: "A", simulated: false};
    ($crossing | overtakes) as $found
    | (case + {machine: "ap1000 over cenju-3", metric: "nodes from which it is faster, N = 2048",
               unit: "nodes", value: $found, paper: 160}),
      (case + {machine: "ap1000", metric: "E on one node in the cache, N = 64", unit: null,
               value: ($one.points[0].efficiency | percent), paper: 1}),
      (case + {machine: "ap1000", metric: "E on one node out of it, N = 512", unit: null,
               value: ($one.points[1].efficiency | percent), paper: 0.6}),
      # How N has to grow with P to keep half of the best efficiency.
      ([$ap1000, $cenju | .iso_efficiency | map(select(.nodes == 64 or .nodes == 128))
        | (.[1].smallest - .[0].smallest) / 64] as $slopes
       | case + {machine: "cenju-3 over ap1000", metric: "slopes of the contours at half of the best E",
                 unit: null, value: ($slopes[1] / $slopes[0] | percent), paper: "larger"});

# A machine of the blind study.
def blind($seed; $sheet; $runs; $topology; $learned; $fit):
    .algorithm as $algorithm
    | [.points[] | select(.nodes > $learned)]
    | {seed: $seed, sheet: $sheet, runs: $runs, algorithm: $algorithm, topology: $topology, learned: $learned,
       nodes: (map(.nodes) | max), even: (map(select(divides($algorithm))) | errors),
       all: errors, warnings: $fit.warnings};

def reached: .even.mean <= 3 and .even.worst <= 10 and .all.mean <= 4 and .all.worst <= 15;

def blind_table($sheet; $runs):
    map(select(.sheet == $sheet and .runs == $runs))
    | "\($sheet | ascii_upcase[:1])\($sheet[1:]) the data sheet of a switch, \($runs) runs:",
    "",
    "| seed | program | topology | learned on | predicted to | P divides N: mean | worst | all sizes: mean | worst | at | reached | warned |",
    "|--:|---|---|--:|--:|--:|--:|--:|--:|---|---|---|",
    (.[] | "| \(.seed) | \(.algorithm) | \(.topology) | 1-\(.learned) | \(.nodes) | \(.even.mean) % | \(.even.worst) % | \(.all.mean) % | \(.all.worst) % | \(.all.at) | \(if reached then "yes" else "**no**" end) | \(.warnings | length) |"),
    "",
    "\(map(select(reached)) | length) of \(length) reached what was wanted; of the others \(map(select((reached | not) and (.warnings | length > 0))) | length) were warned of, and of those that did \(map(select(reached and (.warnings | length > 0))) | length).";

def blind_tables:
    blind_table("with"; "advised"), "", blind_table("with"; "planned"), "",
    blind_table("without"; "advised"), "", blind_table("without"; "planned");
