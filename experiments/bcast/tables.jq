# The tables of the experiment: from the measured lines of JSON (slurped) and the paper's
# tables (CSV) to arrays of rows, objects whose keys are the columns.

def rows: # of a CSV file's text
    split("\n") | map(select(. != "") | split(",")) | .[0] as $names
    | .[1:] | map([$names, .] | transpose
                  | map({key: .[0],
                         value: (.[1] | if . == "" then null else tonumber? // . end)})
                  | from_entries);

def csv: # rows as lines
    (.[0] | keys_unsorted) as $names
    | ($names | join(",")), (.[] | [.[$names[]] | if . == null then "" else tostring | gsub(", "; " - ") end]
                             | join(","));

def digits($count): # rounded to so many
    if . == null or . == 0 then .
    else pow(10; $count - 1 - (fabs | log10 | floor)) as $scale
        | . * $scale | round / $scale end;

def ratio($a; $b): if $a == null or $b == null then null else $a / $b | digits(4) end;

# Table 1 ("overall") or 2 ("in call, mean"): ms for each message and load.
def one_late($metric; $theirs):
    (map(select(.metric == $metric))
     | INDEX("\(.bytes) \(.matrix) \(.mode) \(.way) \(.ideal)")) as $found
    | $theirs | rows | map(
        def of($mode; $way; $ideal):
            $found["\(.bytes) \(.matrix) \($mode) \($way) \($ideal)"].value
            | if . then . * 1e3 | digits(4) else null end;
        {bytes, matrix,
         original: of("binomial_tree"; "stock"; false), paper: of("paper"; "balance"; false),
         auto: of("auto"; "balance"; false), flat: of("flattree"; "stock"; false),
         ideal: of("binomial_tree"; "stock"; true),
         their_original: .original, their_optimised: .optimised, their_ideal: .ideal}
        | select(.original));

# Figures 13 and 14: time over that of the MPI's own broadcast, pattern by pattern, in order.
def random_ratios($bytes):
    map(select(.bytes == $bytes and (.arrival // "" | startswith("random"))
               and (.metric | IN("in call, mean", "in call, learned", "overall"))))
    | (map(select(.way == "stock")) | INDEX("\(.reading) \(.arrival) \(.metric)")) as $stock
    | map(select(.way == "balance"))
    | group_by([.reading, .mode, .metric])
    | map(map({reading, mode, metric,
               ratio: ratio(.value; $stock["\(.reading) \(.arrival) \(.metric)"].value)}
              | select(.ratio))
          | sort_by(.ratio) | to_entries | length as $count
          | map(.value + {order: ((.key + 0.5) / $count * 100 | digits(4))}
                | {reading, mode, metric, order, ratio}))
    | add // [];

def share(condition): (map(select(condition)) | length) / length | digits(4);

# Counts patterns of random_ratios that are better and worse, here and in the paper.
def random_shares($bytes; $theirs):
    ($theirs | rows | INDEX("\(.bytes) \(.metric)")) as $paper
    | random_ratios($bytes) | group_by([.reading, .mode, .metric])
    | map(.[0] as $first
          | $paper["\($bytes) \($first.metric | gsub(", "; " - "))"] as $their
          | {reading: $first.reading, bytes: $bytes, mode: $first.mode,
             metric: $first.metric, patterns: length,
             better: share(.ratio < 0.95), their_better: $their.better,
             worse: share(.ratio > 1.05), their_worse: $their.worse,
             best: .[0].ratio, median: .[length / 2 | floor].ratio});

# Figure 15: the non-zeros of each rank, of a matrix whose columns have them by the paper's
# formula, from the share `slope` at the edges to all of them in the middle.
def nonzeros($size; $density; $slope; $ranks):
    (2 * $density * $size / (1 + $slope)) as $most
    | [range($ranks)
       | . as $rank
       | ($size / $ranks) as $width
       | {rank: $rank, columns: $width,
          nonzeros: ([range($rank * $width; ($rank + 1) * $width)
                      | [., $size - 1 - .] | min
                      | $most * ($slope + (1 - $slope) * . / ($size / 2 - 1))]
                     | add | round)}];

# Table 3: us for each row of the product, in the broadcast and in all (mean over the
# ranks; of the last one to be done); what begins with `their` or ends with `optimised` is
# the paper's.
def sparse($theirs):
    INDEX("\(.size) \(.density) \(.slope) \(.ranks) \(.mode)") as $found
    | ($theirs | rows | INDEX("\(.size) \(.density) \(.slope) \(.ranks)")) as $paper
    | map(select(.mode == "off")) | sort_by(.size, -.density, .slope, .ranks)
    | map(
        "\(.size) \(.density) \(.slope) \(.ranks)" as $case
        | def of($mode; $key):
            $found["\($case) \($mode)"]
            | if . then .[$key] / .rows * 1e6 | digits(4) else null end;
        {size, density, slope, ranks,
         bcast: of("off"; "broadcast"), paper: of("paper-2"; "broadcast"),
         auto: of("auto"; "broadcast"), their: $paper[$case].broadcast_original,
         optimised: $paper[$case].broadcast_optimised,
         total: of("off"; "mean"), total_paper: of("paper-2"; "mean"),
         total_auto: of("auto"; "mean"), their_total: $paper[$case].total_original,
         total_optimised: $paper[$case].total_optimised,
         last: of("off"; "time"), last_paper: of("paper-2"; "time"),
         last_auto: of("auto"; "time")});
