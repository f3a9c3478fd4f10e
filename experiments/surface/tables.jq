# The results as tables in Markdown.
def row: "| " + join(" | ") + " |";
def heading: row, (map("---") | row);
def met: if .met == null then "-" elif .met then "yes" else "**no**" end;
def one($metric; $sizes): map(select(.metric == $metric and .sizes == $sizes))[0];
def errors($sizes):
    one("mean error of E"; $sizes) as $mean | one("worst error of E"; $sizes) as $worst
    | ["\($mean.points)", "\($mean.value) %", "\($worst.value) %", $worst.at,
       (if $mean.met and $worst.met then "yes" else "**no**" end)];

def predictions:
    (["machine", "algorithm", "learned on", "from", "predicted to",
      "points where P divides N", "mean error of E", "worst", "at", "met",
      "all points", "mean", "worst", "at", "met", "ridge off by"] | heading),
    (group_by([.machine, .algorithm, .learned_nodes])[]
     | [.[0].machine, .[0].algorithm, "1-\(.[0].learned_nodes)",
        "\(.[0].learned_runs) points", "\(.[0].predicted_nodes)"]
       + errors("sizes that the nodes divide") + errors("all sizes")
       + ["\(one("ridge off by"; "all sizes").value) steps"] | row);

def others:
    (["what", "value", "simulated truth", "paper", "wanted", "met"] | heading),
    (.[] | ["\(.machine), \(.algorithm): \(.metric)",
            "\(.value)\(if .unit == "%" then " %" else "" end)", "\(.truth // "-")",
            "\(.paper // "-")",
            (.target // "-"), met] | row);

"### Predicted from few nodes, against the simulation of all", "",
(map(select(.share == "paper")) | predictions), "",
"### The same from a 32nd of the nodes, where that is not what was done", "",
(map(select(.share == "32nd")) | predictions), "",
"### The machines against each other, and the paper's own parameters", "",
(map(select(.learned_nodes == null)) | others), ""
