# The tables in Markdown, from the lines of `heho` (slurped); $results: the judged results.

def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def yes_no: if . == null then "-" elif . then "yes" else "**no**" end;
def line: "| " + (map(. // "-") | join(" | ")) + " |";
def wanted:
    if . == null then null
    else gsub("(?<number>[0-9]+([.][0-9]+)?)"; .number | tonumber * 100 | "\(. * 10 | round / 10)")
         | gsub("\\.\\."; " to ") + " %" end;

def result_table:
    (["over all programs and clusters", "measured in 2006", "NP-T here", "wanted",
      "`auto`, 2 % noise", "met", "where", "worst seed", "median", "5 % noise"] | line),
    "|---|---|--:|--:|--:|---|---|--:|--:|--:|",
    ($results[] | select(.noise == 0.02) | . as $at_2
     | ($results[] | select(.noise == 0.05 and .metric == $at_2.metric
                            and .verified == $at_2.verified)) as $at_5
     | [(.metric + if .verified then ", verified by up to 8 runs" else "" end), .paper,
        (.np_t | percent), (.target | wanted), (.value | percent), (.met | yes_no), .at,
        (.worst_seed | percent), (.median | percent), ($at_5.value | percent)] | line);

# "upper half / all sizes" of a model of a cluster and program.
def regrets($model; $verified):
    map(select(.model == $model and .verified == $verified)) | .[0]
    | if . == null then "-" elif .fitted | not then "impossible"
      else "\(.upper_max_regret | percent) / \(.max_regret | percent)" end;

def regret_table($noise):
    (["cluster", "program", "N-T", "P-T", "NP-T", "`auto`", "`auto`, verified"] | line),
    "|---|---|--:|--:|--:|--:|--:|",
    (map(select(.noise == $noise)) | group_by([.cluster, .app]) | .[]
     | [.[0].cluster, .[0].app, regrets("n-t"; false), regrets("p-t"; false),
        regrets("np-t"; false), regrets("auto"; false), regrets("auto"; true)] | line);

def auto_table($noise):
    (["cluster", "program", "error, median / worst", "verified", "covered", "best tenth",
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

"**These six clusters were in sight while the models were made**: for what to expect of",
"others see `make blind`. All times are simulated, but for those measured in 2006. Regret is",
"the largest over the sizes, the mean of that over \(map(.seeds // 0) | max) seeds of the noise;",
"worst and median are over clusters and programs; the worst seed is that of all.",
"",
result_table,
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
