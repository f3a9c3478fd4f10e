# What the study comes to: from its lines (slurped) to an object a figure. A case is a
# program on a cluster, and its regret the largest over its sizes.

def of($model; $verification):
    map(select((.failed | not) and .model == $model and .verification == $verification));

def quantile($q): sort | if length == 0 then null else .[(length - 1) * $q | ceil] end;

def name: "\(.seed)-\(.program)";

# The plan of each case that is the worst.
def worst_of_cases: group_by([.seed, .program]) | map(max_by(.regret));

def row($metric; $verification): {experiment: "blind", metric: $metric,
    verification: $verification, unit: "relative", simulated: true};

def regrets($half; $verification):
    worst_of_cases as $cases
    | ((0.9, 0.95) as $q
       | row("regret, \($half): \($q * 100)th percentile of the cases"; $verification)
         + {value: ($cases | map(.regret) | quantile($q)), at: "\($cases | length) cases"}),
      (row("worst regret, \($half)"; $verification)
       + ($cases | if length == 0 then {value: null, at: null}
                   else max_by(.regret) | {value: .regret, at: name} end)),
      (row("mean regret, \($half)"; $verification)
       + {value: (if length == 0 then null else map(.regret) | add / length end),
          at: "\(length) plans"});

def errors($verification):
    map(select(.upper and .error != null)) as $plans
    | ([0.5, "median"], [0.95, "95th percentile of the"]) as [$q, $text]
    | row("\($text) error of the predicted time, upper half"; $verification)
      + {value: ($plans | map(.error | fabs) | quantile($q)), at: "\($plans | length) plans"};

def worst_error($verification):
    map(select(.upper and .error != null))
    | row("worst error of the predicted time, upper half"; $verification)
      + if length == 0 then {value: null, at: null}
        else max_by(.error | fabs) | {value: (.error | fabs), at: name} end;

def share: (map(select(.covered)) | length) / length;
def coverage($verification):
    if length == 0 then empty else
      (row("coverage of 90 % intervals, pooled"; $verification)
       + {value: share, at: "\(length) plans"}),
      (group_by(.seed) | map({at: "cluster \(.[0].seed)", value: share})
       | (row("coverage of 90 % intervals, lowest of a cluster"; $verification)
          + min_by(.value)),
         (row("coverage of 90 % intervals, highest of a cluster"; $verification)
          + max_by(.value)))
    end;

def mean_regret: map(.regret) | add / length;
# Against the rival with the smallest mean.
def rivals($all; $verification):
    ($all | map(select((.failed | not) and .model != "auto")) | group_by(.model)
     | map({at: .[0].model, value: mean_regret})) as $rivals
    | if length == 0 or ($rivals | length) == 0 then empty
      else ($rivals | min_by(.value)) as $best
           | row("mean regret, over that of the best rival"; $verification)
             + {value: (if $best.value == 0 then null else mean_regret / $best.value end),
                at: $best.at}
      end;

. as $all
| (("none", "runs", "auto") as $verification
   | of("auto"; $verification)
   | if length == 0 then empty else
       (map(select(.upper)) | regrets("upper half"; $verification)),
       regrets("all sizes"; $verification),
       errors($verification), worst_error($verification), coverage($verification),
       rivals($all; $verification)
     end),
  (of("auto"; "none")
   | row("most training runs"; "none")
     + {unit: "runs", value: (map(.training_runs) | max), at: "\(length) plans"}),
  (map(select(.failed and .model == "auto"))
   | row("cases without a plan"; "none")
     + {unit: "cases", value: length, at: (if length == 0 then "" else .[0] | name end)})
