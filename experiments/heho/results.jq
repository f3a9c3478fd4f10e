# What the study comes to: from the lines of `heho` (slurped) to an object a metric, for
# each noise, the worst over clusters and programs or what is pooled over them.

def runs_of($noise; $model; $verified):
    map(select(.noise == $noise and .model == $model and .verified == $verified and .fitted));

def case($metric; $noise; $verified):
    {experiment: "heho", metric: $metric, noise: $noise, verified: $verified, unit: "relative",
     simulated: true};

def median(figure):
    map(figure) | sort | if length == 0 then null
    else (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 end;

# The worst of a figure over clusters and programs, and where that was; of_seed: the same
# figure of the worst seed, not the mean. $papers: what was measured in 2006; $npt: the
# same figure of NP-T here.
def worst(figure; of_seed; $papers; $npt):
    {paper: $papers, np_t: $npt, median: median(figure),
     worst_seed: (if length == 0 then null else map(of_seed) | max end)}
    + if length == 0 then {value: null, at: null}
      else max_by(figure) | {value: figure, at: "\(.app) on \(.cluster)"} end;
def worst(figure): if length == 0 then null else map(figure) | max end;

# Shares that were counted.
def pooled(share; cases):
    if length == 0 then null else (map(share * cases) | add) / (map(cases) | add) end;

def coverage($what; $noise; $verified; share; cases):
    (group_by(.cluster) | map({at: .[0].cluster, share: pooled(share; cases)})) as $clusters
    | (case("coverage of 90 % intervals, \($what), pooled"; $noise; $verified)
       + {value: pooled(share; cases), median: median(share), at: "all"}),
      (case("coverage of 90 % intervals, \($what), lowest of a cluster"; $noise; $verified)
       + ($clusters | if length == 0 then {value: null, at: null}
                      else min_by(.share) | {value: .share, at} end));

def one_node($noise):
    map(select(.noise == $noise and .smallest_group == 1 and .model == "auto")) as $rows
    | case("groups with one node that are planned"; $noise; false)
      + {value: (if ($rows | length) == 0 then null
                 else ($rows | map(select(.fitted)) | length) / ($rows | length) end),
         paper: "impossible",
         at: ($rows | map(select(.fitted | not) | "\(.app) on \(.cluster)") | unique
              | if length == 0 then null else join(", ") end)};

def results($noise):
    . as $all
    | runs_of($noise; "np-t"; false) as $npt
    | ((true, false) as $verified
       | runs_of($noise; "auto"; $verified)
       | (case("worst regret, upper half of the sizes"; $noise; $verified)
          + worst(.upper_max_regret; .worst_seed_upper_max_regret;
                  if $verified then null else "0-451 %" end;
                  if $verified then null else $npt | worst(.upper_max_regret) end)),
         (case("worst regret, all sizes"; $noise; $verified)
          + worst(.max_regret; .worst_seed_max_regret;
                  if $verified then null else "12-5279 %" end;
                  if $verified then null else $npt | worst(.max_regret) end)),
         coverage("chosen configurations"; $noise; $verified; .coverage; .coverage_cases)),
      (runs_of($noise; "auto"; false)
       | (case("worst median error of the predicted time, upper half"; $noise; false)
          + worst(.upper_error_median; null; "up to 42 %"; $npt | worst(.upper_error_median))),
         (case("worst error of the predicted time, upper half"; $noise; false)
          + worst(.upper_error_worst; null; "up to 42 %"; $npt | worst(.upper_error_worst))),
         (map(select(.papers_training_runs >= 100))
          | case("worst share of NP-T's training time, where that has 100 runs or more"; $noise;
                 false) + worst(.training_share; null; "100 %"; 1)),
         coverage("best tenth"; $noise; false; .top_coverage; .top_coverage_cases)),
      one_node($noise);

results(0.02, 0.05)
