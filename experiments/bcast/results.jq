# The results of the experiment, an object each, with what the paper had: from the measured
# lines of JSON (slurped).

include "tables";

def result($case; $metric; $value; $unit; $paper):
    {experiment: "bcast", case: $case, metric: $metric,
     value: ($value | if type == "number" then digits(4) else . end), unit: $unit,
     paper: $paper, simulated: true};

# Whether latency or bandwidth decides what a message costs.
def size_class: if . < 16384 then "small" else "large" end;

def bytes_text:
    if . % 1048576 == 0 then "\(. / 1048576) MiB" elif . % 1024 == 0 then "\(. / 1024) KiB"
    else "\(.) B" end;

# A cell of Table 1 or 2 as the share of the time without the library.
def one_late_results($network; $metric; $theirs):
    one_late($metric; $theirs)[]
    | "\($network): \(.bytes | bytes_text), load N = \(.matrix)" as $case
    | ratio(.their_optimised; .their_original) as $paper
    | result($case; "\($metric), bcast=paper"; ratio(.paper; .original); "of original";
             $paper),
      result($case; "\($metric), bcast=auto"; ratio(.auto; .original); "of original";
             $paper);

# What the paper says of Tables 1 and 2, in both of which `theirs` are, and the same of ours.
def one_late_claims($network; $tables):
    one_late("overall"; $tables[0]) as $overall
    | one_late("in call, mean"; $tables[1]) as $mean
    | "\($network): one of 128 late" as $case
    | ("paper", "auto") as $mode
    | def worst($rows; value): [$rows[] | select(.[$mode]) | value] | max;
      def saved($rows): worst($rows; 1 - .[$mode] / .original);
      def cost($rows): worst($rows | map(select(.matrix == 0)); .[$mode] / .original - 1);
      def beyond($rows): worst($rows; (.[$mode] - .ideal) / .original);
    (result($case; "largest saving of the overall time"; saved($overall); "of original"; 0.40),
     result($case; "largest saving of the mean time"; saved($mean); "of original"; 0.90),
     result($case; "no rank late: cost in the overall time"; cost($overall); "of original"; 0.02),
     result($case; "no rank late: cost in the mean time"; cost($mean); "of original"; 0.04),
     result($case; "beyond the ideal table, overall time"; beyond($overall); "of original"; 0.03),
     result($case; "beyond the ideal table, mean time"; beyond($mean); "of original"; 0.12))
    | select(.value != null)
    | .case += ", bcast=\($mode)" | .mode = $mode;

# The paper's shares are of means over 100 calls.
def random_results($network; $theirs):
    (1, 1048576) as $bytes
    | random_shares($bytes; $theirs)[]
    | "\($network): \(.bytes | bytes_text), \(.patterns) random patterns, reading \"\(.reading)\"" as $case
    | (result($case; "\(.metric), bcast=\(.mode): better than 0.95 of stock"; .better;
              "of patterns"; .their_better),
       result($case; "\(.metric), bcast=\(.mode): worse than 1.05 of stock"; .worse;
              "of patterns"; .their_worse)) + {reading, bytes};

# What readings of the text come to (calculated), and any table of ranks.
def readings_results($readings):
    $readings | rows[]
    | "\(.message), \(.patterns) random patterns, calculated: \(.reading)" as $case
    | result($case; "\(.metric): better than 0.95 of stock"; .better; "of patterns";
             .their_better),
      result($case; "\(.metric): worse than 1.05 of stock"; .worse; "of patterns";
             .their_worse),
      result($case; "\(.metric), any table: better than 0.95 of stock, at most"; .better_at_most;
             "of patterns"; .their_better);

# What no tree can spare: of a message that takes no time, all wait until the root comes.
def random_bounds($network):
    map(select(.wait_for_root and .metric == "in call, learned"
               and (.arrival // "" | startswith("random")))) as $lines
    | ($lines | map(select(.way == "stock")) | INDEX("\(.reading) \(.bytes) \(.arrival)"))
        as $stock
    | $lines | map(select(.way == "balance" and .mode == "auto")) | group_by([.reading, .bytes])[]
    | "\($network): \(.[0].bytes | bytes_text), \(length) random patterns, reading \"\(.[0].reading)\"" as $case
    | map({value, wait_for_root, stock: $stock["\(.reading) \(.bytes) \(.arrival)"].value})
    | map(select(.stock)) | select(length > 0)
    | result($case; "wait for the root: less than 0.95 of stock";
             (map(select(.wait_for_root < 0.95 * .stock)) | length) / length;
             "of patterns"; null),
      result($case; "in call, learned, bcast=auto: beyond the wait for the root";
             (map(.value - .wait_for_root) | sort | .[length / 2 | floor]) * 1e6;
             "us"; null);

# Calls until a table for a random pattern is as good as it gets.
def random_rounds($network):
    map(select(.metric == "rounds" and .way == "balance" and .mode == "auto"
               and (.arrival // "" | startswith("random"))))
    | group_by([.reading, .bytes])[]
    | (map(.value) | sort) as $calls
    | result("\($network): \(.[0].bytes | bytes_text), \(length) random patterns, reading \"\(.[0].reading)\"";
             "rounds until as good as later, 9 of 10 patterns";
             $calls[(length - 1) * 0.9 | floor]; "calls"; null);

def sparse_results($network; $theirs):
    sparse($theirs) as $rows
    | ($rows[]
       | "\($network): N = \(.size), R = \(.density), C = \(.slope), \(.ranks) ranks" as $case
       | ratio(.total_optimised; .their_total) as $total
       | ratio(.optimised; .their) as $broadcast
       | result($case; "total, bcast=paper-2"; ratio(.total_paper; .total);
                "of original"; $total),
         result($case; "total, bcast=auto"; ratio(.total_auto; .total);
                "of original"; $total),
         result($case; "broadcast, bcast=paper-2";
                ratio(.paper; .bcast); "of original"; $broadcast),
         result($case; "broadcast, bcast=auto";
                ratio(.auto; .bcast); "of original"; $broadcast)),
      (("paper", "auto") as $mode
       | def saved(condition; $what; $prefix): # of the matrices that fit
             [$rows[] | select(condition) | 1 - ratio(.["\($prefix)\($mode)"]; .[$what])]
             | max;
       def claim($case; condition; $paper):
             result("\($network): \($case)"; "largest saving of the total";
                    saved(condition; "total"; "total_"); "of original"; $paper);
       (claim("C = 0.2"; .slope == 0.2; 0.20) | .slope = 0.2),
       (claim("C = 0.6"; .slope == 0.6; 0.10) | .slope = 0.6),
       claim("R = 0.05, 64 ranks"; .density == 0.05 and .ranks == 64; 0.10),
       claim("R = 0.01, from 32 ranks on"; .density == 0.01 and .ranks >= 32; 0),
       claim("N = 4000, 64 ranks"; .size == 4000 and .ranks == 64; -0.013),
       result("\($network): all matrices"; "largest saving of the time in the broadcast";
              saved(true; "bcast"; ""); "of original"; 0.88)
       | select(.value != null)
       | .case += ", bcast=\(if $mode == "paper" then "paper-2" else $mode end)"
       | .mode = $mode),
      ($rows | map(ratio(.total_auto; .total)) | select(length > 0)
       | result("\($network): spmm, \(length) cases"; "best total of spmm, bcast=auto"; min;
                "of original"; 0.8),
         result("\($network): spmm, \(length) cases"; "worst total of spmm, bcast=auto"; max;
                "of original"; null));

# What the library's metric is over a rival's, at each place and size. `rival` is true of
# the rival's lines.
def over(rival; $metric):
    (map(select(.metric == $metric and .way == "stock" and rival))
     | INDEX("\(.bytes) \(.arrival)")) as $rivals
    | map(select(.metric == $metric and .way == "balance")) | unique_by([.bytes, .arrival])
    | map({bytes, arrival, value, rival: $rivals["\(.bytes) \(.arrival)"].value}
          | .ratio = ratio(.value; .rival));

def place_results($network):
    map(select(.part == "places")) | group_by(.bytes)[]
    | "\($network): \(.[0].bytes | bytes_text), one of \(.[0].ranks) late by 10 x the transfer"
        as $case
    | over(.mode == "off"; "in call, learned") as $stock
    | over(.mode == "flattree"; "in call, learned") as $flat
    | ($stock | max_by(.rival)) as $dear
    | ($stock | map(select(.rival >= $dear.rival / 4)) | max_by(.ratio)) as $inner
    | result("\($case), \($dear.arrival)"; "mean time in the call, learned: saved";
             1 - $dear.ratio; "of native"; 0.9),
      result("\($case), worst place that costs a quarter of that (\($inner.arrival))";
             "mean time in the call, learned: saved"; 1 - $inner.ratio; "of native"; 0.9),
      ($stock | max_by(.ratio)
       | result("\($case), worst place (\(.arrival))";
                "mean time in the call, learned: saved"; 1 - .ratio; "of native"; 0.9)),
      ($flat | max_by(.ratio)
       | result("\($case), worst place (\(.arrival))";
                "mean time in the call, learned, over a flat tree"; .ratio; null; null)),
      (map(select(.metric == "rounds" and .way == "balance")) | max_by(.value)
       | result("\($case), worst place (\(.arrival))"; "rounds until as good as later";
                .value; "calls"; null));

def matched_results($network):
    map(select(.part == "matched")) | over(true; "overall, learned")[]
    | result("\($network): \(.bytes | bytes_text), delay like the transfer";
             "overall time, learned: saved"; 1 - .ratio; "of native"; 0.4);

# No rank late: what a call costs more than the MPI's own, once the library has set up and
# looked around (which the mean over all calls has in it): of small messages what is beyond
# 1 % of that, in us.
def none_results($network):
    map(select(.part == "none")) as $lines
    | ($lines | over(true; "in call, learned"))[]
    | (.value - .rival) as $cost | (.bytes | size_class) as $size
    | "\($network): \(.bytes | bytes_text), no rank late" as $case
    | (if $size == "small"
       then result($case; "in call, learned: cost beyond 1 %"; ($cost - 0.01 * .rival) * 1e6;
                   "us"; null)
       else result($case; "in call, learned: cost"; $cost / .rival; "of native"; null) end
       | .size = $size),
      (.bytes as $bytes | $lines | over(true; "in call, mean")[] | select(.bytes == $bytes)
       | result($case; "in call, mean: cost, of \(.rival * 1e6 | digits(3)) us";
                (.value - .rival) * 1e6; "us"; null));

def real_results:
    (group_by(.network)[]
     | .[0].network as $network
     | (map(select(.part == "late"))
        | over(true; "in call, learned")[]
        | (.bytes | size_class) as $size
        | result("\($network): \(.bytes | bytes_text), \(.arrival) of 16 late by 10 ms";
                 "mean time in the call, learned: saved"; 1 - .ratio; "of native"; null)
        | .size = $size),
       (map(select(.part == "late" and .metric == "longest, learned" and .way == "balance"))
        | unique_by([.bytes, .arrival])[]
        | result("\($network): \(.bytes | bytes_text), \(.arrival) of 16 late by 10 ms";
                 "longest time of a rank in the call, learned"; .value * 1e3; "ms"; null)),
       (map(select(.part == "none" and .ranks == 4)) | none_results("\($network), 4 ranks")))
    | .simulated = false;
