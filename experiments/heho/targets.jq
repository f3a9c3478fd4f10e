# The figures of the study against what was wanted of them: from the lines of `heho`
# (slurped) to an array of objects, one a metric. $noise: whose runs are looked at.

def runs_of($noise; $model; $verified):
    map(select(.noise == $noise and .model == $model and .verified == $verified
               and .fitted));

# The worst of a figure over clusters and apps, and where that was.
def worst(figure):
    if length == 0 then {value: null, at: null}
    else max_by(figure) | {value: figure, at: "\(.app) on \(.cluster)"} end;

def median(figure):
    map(figure) | sort | if length == 0 then null
    else (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 end;

# What should be at most $most. of_seed: the same figure of the worst seed, not the mean.
def limit($metric; $papers; $prototype; $most; $of_papers; figure; of_seed):
    worst(figure) + {$metric, $papers, $prototype, wanted: "<= \($most * 1000 | round / 10) %",
                     target: $most, median: median(figure), $of_papers,
                     worst_seed: worst(of_seed).value}
    | .met = (if .value == null then null else .value <= $most end);

# Shares that were counted, pooled over clusters and apps.
def pooled(share; cases):
    if length == 0 then null
    else (map(share * cases) | add) / (map(cases) | add) end;

def coverage($metric; share; cases):
    {$metric, papers: "none", prototype: "63-92 %", wanted: "88-95 %", target: 0.9,
     value: pooled(share; cases), median: median(share), of_papers: null,
     at: (group_by(.cluster) | map({at: .[0].cluster, share: pooled(share; cases)})
          | if length == 0 then null
            else "\(min_by(.share) | "\(.at) \(.share * 1000 | round / 10) %") to \(
                    max_by(.share) | "\(.at) \(.share * 1000 | round / 10) %")" end)}
    | .met = (if .value == null then null else .value >= 0.88 and .value <= 0.95 end);

def one_node:
    map(select(.smallest_group == 1)) as $rows
    | ($rows | map(select(.model == "auto"))) as $auto
    | {metric: "groups with one node", papers: "impossible", prototype: "works",
       wanted: "works", target: null, median: null, of_papers: null,
       value: (if ($auto | length) == 0 then null
               else ($auto | map(select(.fitted)) | length) / ($auto | length) end),
       at: ($auto | map(select(.fitted | not) | "\(.app) on \(.cluster)") | unique
            | if length == 0 then null else join(", ") end)}
    | .met = (if .value == null then null else .value == 1 end);

def targets($noise):
    . as $all
    | runs_of($noise; "auto"; true) as $verified
    | runs_of($noise; "auto"; false) as $plain
    | runs_of($noise; "np-t"; false) as $npt
    | [ ($verified | limit("regret, upper half, verified by up to 8 runs";
             "-"; "0.5-7 %"; 0.036; null; .upper_max_regret;
             .worst_seed_upper_max_regret)),
        ($plain | limit("regret, upper half, not verified";
             "0-451 %"; "0-22 %"; 0.10; ($npt | worst(.upper_max_regret).value);
             .upper_max_regret; .worst_seed_upper_max_regret)),
        ($verified | limit("regret, all sizes, verified";
             "-"; "0.7-11 %"; 0.05; null; .max_regret;
             .worst_seed_max_regret)),
        ($plain | limit("regret, all sizes, not verified";
             "12-5279 %"; "5-26 %"; 0.15; ($npt | worst(.max_regret).value);
             .max_regret; .worst_seed_max_regret)),
        ($plain | limit("error of the predicted time, upper half, median";
             "up to 42 %"; "6-17 %"; 0.08; ($npt | worst(.upper_error_median).value);
             .upper_error_median; null)),
        ($plain | limit("error of the predicted time, upper half, worst";
             "up to 42 %"; "14-25 %"; 0.15; ($npt | worst(.upper_error_worst).value);
             .upper_error_worst; null)),
        ($plain | map(select(.papers_training_runs >= 100))
         | limit("training time, share of NP-T's where that has 100 runs or more";
             "100 %"; "8-14 %"; 0.10; 1; .training_share; null)),
        ($plain | coverage("intervals that should cover 90 %, chosen configurations";
             .coverage; .coverage_cases)),
        ($plain | coverage("intervals that should cover 90 %, best tenth";
             .top_coverage; .top_coverage_cases)),
        ($verified | coverage("intervals that should cover 90 %, chosen, verified";
             .coverage; .coverage_cases)),
        ($all | map(select(.noise == $noise)) | one_node) ]
    | map(.noise = $noise);
