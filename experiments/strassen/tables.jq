# The results as tables in Markdown.
def row: "| " + join(" | ") + " |";
def heading: row, (map("---") | row);
def met: if .met == null then "-" elif .met then "yes" else "**no**" end;
def show: if . == null then "-" else tostring end;
def of($metric): map(select(.metric == $metric))[0];
def is_mix: .cluster | startswith("mix");
def is_kind: .cut | IN("equal", "greedy", "recursive", "auto");
def pick($kind; $metric): map(select(.cut == $kind and .metric == $metric))[0];

# Totals of all cuts at the size of the paper's tables.
def totals:
    (["cluster", "ranks", "N", "cut", "time", "predicted", "off by", "paper", "gain", "paper's gain"]
     | heading),
    (group_by([.cluster, .ranks, .size, .cut])[] | select(of("time"))
     | of("time") as $time | of("gain over equal blocks") as $gain
     | [$time.cluster, "\($time.ranks)", "\($time.size)", $time.cut, "\($time.value) s",
        (if $time.predicted then "\($time.predicted) s" else "-" end),
        (of("prediction off by") | if . then "\(.value) %" else "-" end),
        (if $time.paper then "\($time.paper) s" else "-" end),
        (if $gain then "\($gain.value) %" else "-" end),
        (if $gain.paper then "\($gain.paper) %" else "-" end)] | row);

def targets:
    (["cluster", "ranks", "N", "s", "gain of auto", "ideal", "paper's ideal", "share of it",
      "wanted", "met", "without overlap", "as if all were alike", "communication over its bound", "wanted", "met"]
     | heading),
    (group_by([.cluster, .size])[] | pick("auto"; "share of the ideal gain") as $share
     | select($share) | pick("auto"; "communication over its bound") as $bytes
     | [$share.cluster, "\($share.ranks)", "\($share.size)", "\($share.heterogeneity)",
        "\($share.gain) %", "\($share.ideal) %", (if $share.paper then "\($share.paper) %" else "-" end),
        "\($share.value) %", $share.target, ($share | met),
        "\(pick("no-overlap"; "gain over equal blocks").value) %",
        "\(pick("alike"; "gain over equal blocks").value) %",
        "\($bytes.value)", $bytes.target, ($bytes | met)] | row);

def predictions:
    map(select(.metric == "prediction off by" and is_kind)) | group_by(.cut)
    | (["cut", "runs", "predicted total off by, at most", "at", "mean", "wanted", "met"] | heading),
      (.[] | max_by(.value) as $worst
       | [.[0].cut, "\(length)", "\($worst.value) %", "\($worst.cluster), N = \($worst.size)",
          "\(map(.value) | add / length * 100 | round / 100) %", $worst.target, ($worst | met)] | row);

# The paper's tables 3 and 4: means of the ranks of a group.
def seconds: . * 100 | round / 100 | tostring;
def breakdown:
    (["cluster", "cut", "group", "ranks", "share of each", "computing", "predicted",
      "communication", "predicted", "waiting", "predicted"] | heading),
    (.[] | select(.metric == "where the time goes" and .size == 12000 and is_kind) as $case
     | $case.value | group_by(.group)[] | map(.share * 1000 | round / 10) as $shares
     | [$case.cluster, $case.cut, .[0].group, "\(length)",
        "\([$shares | min, max] | unique | map(tostring) | join(" to ")) %",
        (("computing", "communication", "waiting") as $what
         | (map(.measured[$what]) | add / length | seconds),
           (map(.predicted[$what]) | add / length | seconds))] | row);

def real:
    (["ranks", "N", "cut", "speed", "ScaLAPACK, panels of 256", "ratio", "wanted", "met",
      "over SUMMA", "predicted off by"] | heading),
    (.[] | ["\(.ranks)", "\(.size)", .cut, "\(.speed) Gflop/s", "\(.rival) Gflop/s",
            "\(.value)", (.target // "-"), met,
            "\(.over_summa // "the same cut")", "\(.off | show) %"] | row);

(map(select(.simulated))) as $simulated
| "### The paper's environments (simulated)", "",
  ($simulated | map(select((is_mix | not) and .size == (($simulated | map(select(is_mix | not).size) | max))))
   | totals), "",
  "### Random mixes (simulated)", "",
  ($simulated | map(select(is_mix)) | totals), "",
  "### What was wanted of auto (simulated)", "",
  ($simulated | targets), "",
  "### Predictions against the simulation, all sizes", "",
  ($simulated | predictions), "",
  "### Where the time goes: the paper's tables 3 and 4 (simulated, seconds)", "",
  ($simulated | breakdown), "",
  (map(select(.simulated | not)) | if length > 0 then "### This machine (real)", "", real, "" else empty end)
