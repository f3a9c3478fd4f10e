# Tables of the testbed's runs, in Markdown.

def median: sort | if length % 2 == 1 then .[length / 2 | floor]
    else (.[length / 2 - 1] + .[length / 2]) / 2 end;
# Median absolute deviation, relative to the median.
def spread: median as $m | map((. - $m) | fabs) | median / $m;
def percent: . * 1000 | round / 10 | "\(.) %";
def seconds: . * 1000 | if . >= 1000 then "\(. / 10 | round / 100) s" else "\(. * 10 | round / 10) ms" end;
def row: "| " + join(" | ") + " |";
def heading: row, (map("---") | row);
def waits: if . == "auto" then "patient" else "stock" end;

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

# A list of {key, seconds}, one a configuration and size with repetitions.
def cases:
    map(select(.outcome == "ok")) | group_by([.configuration, .size])
    | map({key: "\(.[0].configuration) \(.[0].size)", seconds: map(.seconds)})
    | map(select(.seconds | length > 1));

def scatter($program; $patient; $stock):
    ($patient | cases) as $with | ($stock | cases) as $without
    | ($without | map({(.key): .seconds}) | add) as $other
    | ($with | map(select($other[.key]) | (.seconds | median) / ($other[.key] | median))) as $ratios
    | "### \($program): spread of repeated runs, and patient against stock", "",
      (["ranks", "configurations and sizes", "median spread", "nine in ten below"] | heading),
      (["patient", $with], ["stock", $without]
       | [.[0], (.[1] | length | tostring), (.[1] | map(.seconds | spread) | median | percent),
          (.[1] | map(.seconds | spread) | sort | .[length * 0.9 | floor] | percent)] | row),
      "",
      "Time with patient ranks, in parts of stock's: median \($ratios | median * 1000 | round / 1000), "
      + "least \($ratios | min * 1000 | round / 1000), most \($ratios | max * 1000 | round / 1000).", "";

def patience:
    "### Patient waits against the MPI's own", "",
    (["MPI", "program", "cores", "patient", "spread", "stock", "spread", "stock / patient"] | heading),
    (group_by([.cores, .family, .program])[]
     | (map(select(.way == "auto") | .seconds)) as $patient
     | (map(select(.way == "never") | .seconds)) as $stock
     | [.[0].family, .[0].program, .[0].cores, ($patient | median | seconds),
        ($patient | spread | percent), ($stock | median | seconds), ($stock | spread | percent),
        (($stock | median) / ($patient | median) * 1000 | round / 1000 | tostring)] | row), "";
