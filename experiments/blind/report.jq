# The tables in Markdown, from the study's lines (slurped); $results: the judged results.

def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def figure: if .unit == "relative" then .value | percent else "\(.value)" end;
def yes_no: if . == null then "" elif . then "yes" else "**no**" end;
def line: "| " + (map(. // "-") | join(" | ")) + " |";
def way: {none: "not verified", runs: "verified by 8 runs", auto: "`--verify auto`"}[.];
def wanted:
    if .target == null then null elif .unit != "relative" then .target
    else .target | gsub("(?<number>[0-9]+([.][0-9]+)?)";
                        .number | tonumber * 1000 | round / 10 | tostring)
         | gsub("\\.\\."; " to ") + " %" end;

def plans: map(select(.failed | not));
def mean_regret: map(.regret) | add / length;
def quantile($q): sort | .[(length - 1) * $q | ceil];

def result_table:
    (["", "how", "wanted", "reached", "met", "where"] | line), "|---|---|--:|--:|---|---|",
    ($results[] | [.metric, (.verification | way), wanted, figure, (.met | yes_no), .at] | line);

def rival_table:
    (["regret", "mean", "median", "90 %", "worst", "no plan of its own"] | line),
    "|---|--:|--:|--:|--:|--:|",
    (plans | group_by([.model != "auto", .model, .verification]) | .[]
     | [.[0].model + (if .[0].model == "auto" then ", " + (.[0].verification | way) else "" end),
        (mean_regret | percent), (map(.regret) | quantile(0.5) | percent),
        (map(.regret) | quantile(0.9) | percent), (map(.regret) | max | percent),
        "\(map(select(.planned | not)) | length)"] | line);

def worst_table($verification):
    (["case", "groups: nodes x most processes", "N", "chosen", "best", "predicted", "measured",
      "best", "regret"] | line),
    "|---|---|--:|---|---|--:|--:|--:|--:|",
    (plans | map(select(.model == "auto" and .verification == $verification))
     | sort_by(-.regret)[:10][]
     | ["\(.seed)-\(.program), \(.kind)", .groups,
        "\(.size)\(if .upper then "" else " (lower)" end)", .chosen, .best,
        (.predicted | tostring), (.seconds | tostring), (.best_seconds | tostring),
        (.regret | percent)] | line);

(map(.seed) | unique) as $seeds
| (plans | map(select(.model == "auto" and .verification == "none"))) as $auto
| "\($seeds | length) random clusters (seeds \($seeds | min) to \($seeds | max)\(
    if ($seeds | min) < 1000 then ": development" else "" end)), \(
    map([.seed, .program]) | unique | length) cases; all times are simulated. A case is a program",
  "on a cluster, and its regret the largest over its sizes.",
  "",
  result_table,
  "",
  "Over all plans, beside what others would choose:",
  "",
  rival_table,
  "",
  "Training took \($auto | map(.training_runs) | if length == 0 then 0 else add / length | round end
    ) runs on average\(
    $auto | map(select(.papers_seconds > 0) | .training_seconds / .papers_seconds)
    | if length == 0 then "" else "; of the time that NP-T's training takes the median is \(
        quantile(0.5) | percent)" end).",
  (("none", "runs", "auto") as $verification
   | if any(.[]; .verification == $verification) then
       "", "The worst plans, \($verification | way); seconds:", "", worst_table($verification)
     else empty end),
  (map(select(.failed)) | if length == 0 then empty else
     "", "Without a plan:", "", (.[] | "- \(.seed)-\(.program): \(.failed)") end)
