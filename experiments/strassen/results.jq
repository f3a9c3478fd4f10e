# What the study comes to: from the files of a product to one object a metric.
import "paper" as $paper;

def percent: . * 10000 | round / 100;
def round3: . * 1000 | round / 1000;

def paper: $paper::paper[0].totals;
def of_paper($name; $kind; $size; $which):
    if $size == 12000 then paper[$name][$kind] | if . then .[$which] else null end else null end;

# The gain if nothing was lost by sharing the computation unequally (the paper's equation
# 6), with the heterogeneity s of the cluster and the share of the time in which the rank
# that computes longest with equal blocks does not compute.
def ideal($equal; $plan):
    ([$equal.ranks[].measured.computing] | max / $equal.seconds) as $compute
    | 1 / ($compute / $plan.ideal.heterogeneity + 1 - $compute) - 1;

# The sum of heights and widths of the ranks' parts of C, in units of N, from the bytes
# that they receive, 8 N^2 (sum - 2).
def sides($bytes; $n): $bytes / (8 * $n * $n) + 2;

# What a run comes to, whose kind of cut may also be 'no-overlap' or 'alike'.
def judge($name; $kind; $equal; $plan):
    . as $run
    | {experiment: "strassen", cluster: $name, ranks: ($run.ranks | length), size: .n,
       cut: $kind, simulated: true} as $case
    | ($equal.seconds / .seconds - 1) as $gain
    | ($case + {metric: "time", unit: "s", value: (.seconds | round3),
                predicted: (.predicted | if . then round3 else null end),
                paper: of_paper($name; $kind; .n; 0)}),
      ($case + {metric: "speed", unit: "Gflop/s", value: (.flops / 1e9 | round3)}),
      (select(.predicted)
       | $case + {metric: "prediction off by", unit: "%", paper: 3,
                value: (.predicted / .seconds - 1 | fabs | percent)}),
      (select($kind != "equal")
       | $case + {metric: "gain over equal blocks", unit: "%", value: ($gain | percent),
                  paper: of_paper($name; $kind; .n; 1)}),
      (select(.predicted)
       | $case + {metric: "where the time goes", unit: "s",
                value: [.ranks[] | {rank, group, share, predicted, measured}]}),
      (select($kind == "auto" and .n == $plan.n)
       | ([$plan.cuts[] | select(.cut == "auto")][0]) as $cut
       | ideal($equal; $plan) as $ideal
       | ($case + {metric: "share of the ideal gain", unit: "%",
                   heterogeneity: ($plan.ideal.heterogeneity | round3),
                   ideal: ($ideal | percent), gain: ($gain | percent),
                   paper: paper[$name].ideal, value: ($gain / $ideal | percent)}),
         ($case + {metric: "communication over its bound", unit: null,
                   value: (sides(.bytes; .n) / sides($cut.bound; .n) | round3)}));

# A real run on this machine against ScaLAPACK's, from the file that `real` writes.
def real_case:
    {experiment: "strassen", cluster: "local", ranks, size: .n, cut, simulated: false,
     metric: "speed over ScaLAPACK's", unit: null, speed: (.speed * 10 | round / 10),
     rival: (.rival * 10 | round / 10), off: (.predicted / .seconds - 1 | percent),
     over_summa: (.over_summa | if . then round3 else null end), difference, value: (.ratio | round3)};
