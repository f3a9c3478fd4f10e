# Tables of the testbed's runs, in Markdown.

def median: sort | if length % 2 == 1 then .[length / 2 | floor]
    else (.[length / 2 - 1] + .[length / 2]) / 2 end;
# Median absolute deviation, relative to the median.
def spread: median as $m | map((. - $m) | fabs) | median / $m;
def percent: . * 1000 | round / 10 | "\(.) %";
def round3: . * 1000 | round / 1000;
def seconds: . * 1000 | if . >= 1000 then "\(. / 10 | round / 100) s" else "\(. * 10 | round / 10) ms" end;
def row: "| " + join(" | ") + " |";
def heading: row, (map("---") | row);
def waits: if . == "auto" then "patient" else "yielding" end;

# Of the runs of one configuration and size: its seconds.
def times($configuration; $size):
    map(select(.outcome == "ok" and .configuration == $configuration and .size == $size)
        | .seconds);

# What `motley evaluate --json` says of a model, with the noise of the two configurations.
def plans($runs; $way):
    .program as $program
    | "### \($program), \($way | waits) ranks", "",
      (["size", "predicted best", "predicted", "its time", "spread", "true best",
        "its time", "spread", "regret"] | heading),
      (.models[0] as $model
       | ($model.sizes[]
          | [(.size | tostring), .predicted_best, (.predicted_seconds | seconds),
             (.predicted_best_seconds | seconds),
             (.predicted_best as $c | .size as $n | $runs | times($c; $n) | spread | percent),
             .true_best, (.true_best_seconds | seconds),
             (.true_best as $c | .size as $n | $runs | times($c; $n) | spread | percent),
             (.regret_percent / 100 | percent)] | row),
         "",
         "Worst regret, larger half of the sizes: \($model.upper_half.worst_regret_percent / 100 | percent); "
         + "mean error of the predictions: \($model.all_sizes.mean_error_percent / 100 | percent), "
         + "worst \($model.all_sizes.worst_error_percent / 100 | percent).", "");

# Of {configuration: [seconds, ...]} those that are to be run again: the fastest, and what
# was chosen.
def finalists($plans; $most):
    ([to_entries | map(.median = (.value | median)) | sort_by(.median)[:$most][].key]
     + [$plans[].choices[0].configuration]) | unique;

# What became of a plan: against the best of those that were run again. covered: runs of
# the chosen configuration that took a time inside the printed interval.
def judged($plan; $finals):
    . as $runs | with_entries(.value |= median) as $true
    | $plan.choices[0] as $chosen
    | ([$finals[] | {configuration: ., seconds: $true[.]}] | min_by(.seconds)) as $best
    | {shape: $plan.shape, program: $plan.program, size: $plan.size, way: $plan.way,
       chosen: $chosen.configuration, predicted: $chosen.seconds, low: $chosen.low,
       high: $chosen.high, seconds: $true[$chosen.configuration],
       best: $best.configuration, best_seconds: $best.seconds,
       verifying: ($plan.verification.runs // [] | length), configurations: length,
       covered: ($runs[$chosen.configuration]
                 | map(select($chosen.low <= . and . <= $chosen.high)) | length),
       judging: ($runs[$chosen.configuration] | length)}
    | .regret = .seconds / .best_seconds - 1;

def mean: add / length;
def way: if . == "none" then "without --verify" else "--verify \(.)" end;

# The lines of one way on all clusters.
def pooled:
    {way: .[0].way, cases: length, mean: (map(.regret) | mean),
     worst: (map(.regret) | max),
     error: (map(.predicted / .seconds - 1 | fabs) | median),
     coverage: ((map(.covered) | add) / (map(.judging) | add)),
     verifying: (map(.verifying) | mean), most: (map(.verifying) | max)};

def foreign:
    "### Programs on real nodes: regret of the plan", "",
    (["cluster", "program", "N", "true best", "its time"]
     + (["none", "8", "auto"] | map(way)) + ["chosen by --verify auto", "verifying runs"] | heading),
    (group_by([.shape, .program, .size])[]
     | (INDEX(.way) | [.none, .["8"], .auto]) as $ways | $ways[2]
     | [.shape, .program, (.size | tostring), .best, (.best_seconds | seconds)]
       + ($ways | map(.regret | percent)) + [.chosen, (.verifying | tostring)] | row),
    "",
    (["all cases", "mean regret", "worst", "median error of the time",
      "runs inside 90 % intervals", "verifying runs, mean", "most"] | heading),
    (group_by(.way) | sort_by({none: 0, "8": 1, auto: 2}[.[0].way])[] | pooled
     | [(.way | way), (.mean | percent), (.worst | percent), (.error | percent),
        (.coverage | percent), (.verifying | round3 | tostring), (.most | tostring)] | row),
    "";

# A list of {key, seconds}, one a configuration and size with repetitions.
def cases:
    map(select(.outcome == "ok")) | group_by([.configuration, .size])
    | map({key: "\(.[0].configuration) \(.[0].size)", seconds: map(.seconds)})
    | map(select(.seconds | length > 1));

def scatter($program; $patient; $yielding):
    ($patient | cases) as $with | ($yielding | cases) as $without
    | (reduce $without[] as $case ({}; .[$case.key] = $case.seconds)) as $other
    | ($with | map(select($other[.key]) | (.seconds | median) / ($other[.key] | median))) as $ratios
    | "### \($program): spread of repeated runs", "",
      (["ranks", "configurations and sizes", "median spread", "nine in ten below"] | heading),
      (["patient", $with], ["yielding", $without] | select(.[1] | length > 0)
       | [.[0], (.[1] | length | tostring), (.[1] | map(.seconds | spread) | median | percent),
          (.[1] | map(.seconds | spread) | sort | .[length * 0.9 | floor] | percent)] | row),
      "",
      (if $ratios == [] then empty else
       "Time of patient ranks, in parts of that of yielding ones: median \($ratios | median | round3), "
       + "least \($ratios | min | round3), most \($ratios | max | round3).", "" end);

def patience:
    "### Patient waits against the MPI's own", "",
    (["MPI", "program", "cores", "against", "patient", "spread", "its time", "spread",
      "its time / patient"] | heading),
    (group_by([.cores, .family, .program])[]
     | .[0] as $case
     | (map(select(.way == "patient") | .seconds)) as $patient
     | map(select(.way != "patient")) | group_by(.way)[]
     | (map(.seconds)) as $rival
     | [$case.family, $case.program, $case.cores, .[0].way, ($patient | median | seconds),
        ($patient | spread | percent), ($rival | median | seconds),
        ($rival | spread | percent),
        (($rival | median) / ($patient | median) | round3 | tostring)] | row), "";
