# From the lines of `heho` (slurped) to tables in Markdown.
include "targets";

def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def yes_no: if . == null then "-" elif . then "yes" else "**no**" end;
def line: "| " + (map(. // "-") | join(" | ")) + " |";
def reached: if .metric == "groups with one node"
             then if .value == 1 then "works" else .value | percent end
             else .value | percent end;

def target_table:
    targets(0.02) as $at_2 | targets(0.05) as $at_5
    | (["worst over all apps and clusters", "papers (measured)", "NP-T here", "prototype",
        "wanted", "`auto`, 2 % noise", "met", "where", "worst seed", "median", "5 % noise"] | line),
      "|---|---|--:|---|---|--:|---|---|--:|--:|--:|",
      (range($at_2 | length) as $i | $at_2[$i]
       | [.metric, .papers, (.of_papers | percent), .prototype, .wanted, reached,
          (.met | yes_no), .at, (.worst_seed | percent), (.median | percent), ($at_5[$i] | reached)] | line);

# "upper half / all sizes" of a model of a cluster and app.
def regrets($model; $verified):
    map(select(.model == $model and .verified == $verified)) | .[0]
    | if . == null then "-" elif .fitted | not then "impossible"
      else "\(.upper_max_regret | percent) / \(.max_regret | percent)" end;

def regret_table($noise):
    (["cluster", "app", "N-T", "P-T", "NP-T", "`auto`", "`auto`, verified"] | line),
    "|---|---|--:|--:|--:|--:|--:|",
    (map(select(.noise == $noise)) | group_by([.cluster, .app]) | .[]
     | [.[0].cluster, .[0].app, regrets("n-t"; false), regrets("p-t"; false),
        regrets("np-t"; false), regrets("auto"; false), regrets("auto"; true)] | line);

def auto_table($noise):
    (["cluster", "app", "error, median / worst", "verified", "covered", "best tenth",
      "verified", "training runs", "share", "verifying share"] | line),
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    (map(select(.noise == $noise and .model == "auto" and .fitted))
     | group_by([.cluster, .app]) | .[]
     | (map(select(.verified | not)) | .[0]) as $plain
     | (map(select(.verified)) | .[0]) as $verified
     | [.[0].cluster, .[0].app,
        ($plain | "\(.upper_error_median | percent) / \(.upper_error_worst | percent)"),
        ($verified | if . then "\(.upper_error_median | percent) / \(
             .upper_error_worst | percent)" else "-" end),
        ($plain.coverage | percent), ($plain.top_coverage | percent),
        ($verified.coverage | percent),
        "\($plain.training_runs | round) of \($plain.papers_training_runs)",
        ($plain.training_share | percent), ($verified.verification_share | percent)]
     | line);

"All times are simulated, but for the papers' own column, which was measured in 2006.",
"Regret is the largest over the sizes, the mean of that over \(map(.seeds // 0) | max) seeds of the noise.",
"The worst, and the median, are those over clusters and apps; the worst seed is that of all.",
"",
target_table,
"",
"Regret, upper half of the sizes / all sizes, 2 % noise (the cluster `noisy`: its own):",
"",
regret_table(0.02),
"",
"The same with 5 % noise:",
"",
regret_table(0.05),
"",
"`auto`, 2 % noise: error of the predicted time over the upper half of the sizes, share of",
"the times inside the 90 % interval, and what training and verifying (at the dearest size)",
"take, as a share of the measuring time of NP-T:",
"",
auto_table(0.02)
