# The rows of a table: what motley evaluated on a simulated twin, beside what the thesis
# measured in 2006. Input: the JSON of motley evaluate, or {} where no model could be
# fitted.

def group_names: if . == "2" then ["xeon", "celeron"] else ["pentium4", "xeon", "celeron"] end;

# "8 1 0 0" as "xeon:8x1".
def configuration($kinds):
  [split(" ") | map(tonumber) | _nwise(2)] as $uses | ($kinds | group_names) as $names
  | [range(0; $uses | length) | select($uses[.][0] > 0)
     | "\($names[.]):\($uses[.][0])x\($uses[.][1])"] | join("+");

def number: if . == "" then null else tonumber end;

# The thesis's rows of a table, from the text of its CSV file.
def thesis($table):
  split("\n")[1:][] | select(. != "") | split(",") | select(.[0] == $table)
  | .[2] as $kinds
  | {size: (.[5] | tonumber),
     predicted_best: (.[6] | configuration($kinds)), predicted_seconds: (.[7] | number),
     predicted_best_seconds: (.[8] | number),
     true_best: (.[9] | configuration($kinds)), true_best_seconds: (.[10] | number)}
  | .regret_percent = (if .true_best_seconds and .predicted_best_seconds
                       then 100 * (.predicted_best_seconds / .true_best_seconds - 1)
                       else null end);

def columns: ["predicted_best", "predicted_seconds", "predicted_best_seconds",
              "true_best", "true_best_seconds", "regret_percent"];

# The worst regret over all sizes and over the upper half of them.
def worst: map(.regret_percent | select(.)) | [max, (.[(length / 2 | floor):] | max)];

# Worst regrets in short: [all, upper half] here and the same in the thesis.
def summary($thesis; $table):
  ([.models[0].sizes[]?] | worst) + ([$thesis | thesis($table)] | worst);

def header: ["size"] + columns + (columns | map("thesis_" + .));

# One for each size that either has: [size, six columns, the same six of the thesis].
def rows($thesis; $table):
  [.models[0].sizes[]?] as $here | [$thesis | thesis($table)] as $there
  | [$here[], $there[] | .size] | unique[] as $size
  | [$size] + [([$here, $there][] | map(select(.size == $size))[0]) as $row
               | columns[] | $row[.]];
