# The results as tables in Markdown.
def row: "| " + join(" | ") + " |";
def heading: row, (map("---") | row);
def met: if .met == null then "-" elif .met then "yes" else "**no**" end;
def one($metric): map(select(.metric == $metric))[0];

def predictions:
    (["machine", "algorithm", "learned on P up to", "from runs", "predicted to P",
      "points beyond", "mean error of E", "worst", "at", "ridge off by", "met"] | heading),
    (group_by([.machine, .algorithm, .learned_nodes])[]
     | one("mean error of E") as $mean | one("worst error of E") as $worst
     | one("ridge off by") as $ridge
     | [.[0].machine, .[0].algorithm, "\(.[0].learned_nodes)", "\(.[0].learned_runs)",
        "\(.[0].predicted_nodes)", "\(.[0].points)", "\($mean.value) %",
        "\($worst.value) %", $worst.at, "\($ridge.value) steps",
        (if all(.met) then "yes" else "**no**" end)] | row);

def others:
    (["what", "value", "simulated truth", "paper", "wanted", "met"] | heading),
    (.[] | ["\(.machine), \(.algorithm): \(.metric)",
            "\(.value)\(if .unit == "%" then " %" else "" end)", "\(.truth // "-")",
            "\(.paper // "-")",
            (if .target == null then "-" elif (.target | type) == "number"
             then "<= \(.target)\(if .unit == "%" then " %" else "" end)"
             else .target end), met] | row);

"### Predicted from few nodes, against the simulation of all", "",
(map(select(.learned_nodes != null and .paper_range)) | predictions), "",
"### The same from a 32nd of the nodes", "",
(map(select(.learned_nodes != null and (.paper_range | not))) | predictions), "",
"### The machines against each other, and the paper's own parameters", "",
(map(select(.learned_nodes == null)) | others), ""
