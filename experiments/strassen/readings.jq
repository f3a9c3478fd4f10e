# The readings of the paper beside what it measured, as tables in Markdown. The input is
# runs: what 'readings' prints of each.
import "paper" as $paper;

def row: "| " + (map(tostring) | join(" | ")) + " |";
def heading: row, (map("---") | row);
def round1: . * 10 | round / 10;
def signed: round1 | if . > 0 then "+\(.)" else "\(.)" end;

def ways: {"binomial": "`MPI_Bcast`, a binomial tree",
           "scatter": "`MPI_Bcast`, a scatter and an allgather",
           "in-turn": "by the owner, one after the other",
           "expected": "by the owner, one after the other, all receives posted before",
           "at-once": "by the owner, all of a step at once"};

def paper: $paper::paper[0];
def names: {"equal": "Strassen", "greedy": "H-Strassen", "recursive": "H-Strassen-R"};

def pick($cut; $environment): map(select(.cut == $cut and .environment == $environment))[0];

# The runs of a reading, all but what the left-over's ranks get alike: one for each of these.
def judge_all:
    . as $runs | pick("equal"; 1) as $first | pick("equal"; 3) as $equal
    | pick("greedy"; 3) as $greedy
    | [.[] | .left_over // empty] | unique[] as $left_over
    | ($runs | map(select(.left_over == $left_over))) as $own
    | ($own | pick("recursive"; 1)) as $small | ($own | pick("recursive"; 3)) as $large
    | {way: $first.way, links: $first.links, sequence: $first.sequence, order: $first.order, left_over: $left_over,
       times: $first.times, share: $equal.share, bandwidth: $first.bandwidth,
       fitted: $first.fitted, runs: [$first, $small, $equal, $greedy, $large],
       gains: [$first.seconds / $small.seconds, $equal.seconds / $greedy.seconds,
               $equal.seconds / $large.seconds] | map(100 * (. - 1))}
    | .communication = [.runs[].ranks[0].communication]
    | .off = ([.gains, paper.gains] | transpose | map(.[0] - .[1] | fabs) | max)
    | .late = ([.communication, paper.communication] | transpose
               | map(.[0] / .[1] - 1 | fabs) | add / 4 * 100);

def judged: group_by([.way, .links, .sequence, .order, .times, .share, .fitted]) | map(judge_all);

def reading_heading:
    ["how blocks are sent", "links", "sequence", "left-over", "order", "MB/s", "1: H", "1: H-R", "3: H", "3: H-R",
     "off by at most", "messages of 1: equal", "1: H-R", "3: equal", "3: H", "3: H-R", "off by, mean"] | heading;
def reading:
    [ways[.way], .links, .sequence, .left_over, .order, (.bandwidth | round1), 0, (.gains[] | signed),
     (.off | round1), (.communication[] | round1), "\(.late | round) %"] | row;
def paper_row:
    ["**the paper**", "", "", "", "", "", 0, (paper.gains[] | signed), "", paper.communication[], ""] | row;

def otherwise:
    if .times == "predicted" then "products as its function predicts them"
    elif .share < 1 then "the Athlon's link at \(.share * 100) %"
    elif .fitted then "" else "33.6 MB/s" end;
def variant:
    otherwise as $what
    | [ways[.way], $what, .sequence, .left_over, (.gains[] | signed), (.off | round1),
       (.communication[] | round1)] | row;

# How many blocks the busiest rank sends and receives in all.
def busiest($number): [.ranks[][$number]] | max | round1;
def counts:
    (["order", "left-over", "1: H-R, 3 x 3", "3: H, 5 x 5", "3: H-R, 4 x 4", "pieces in 1: H-R", "in 3: H-R"] | heading),
    (map(select(.way == "at-once" and .links == "half")) | sort_by(.order, .left_over)[]
     | [.order, .left_over, (.runs[1] | busiest("blocks")), (.runs[3] | busiest("blocks")),
        (.runs[4] | busiest("blocks")), (.runs[1] | busiest("pieces")), (.runs[4] | busiest("pieces"))] | row),
    # 34.3 s is the time that makes all of them whole numbers
    (["the paper, from its predictions, if a matrix takes 34.3 s", ""]
     + ([38.1 * 9, 54.9 * 25, 45.1 * 16, (122.6 - 3 * 28.81) * 36 - 6 * 28.81 / 7 * 36,
         (126.1 - 8 * 12.85) * 64 - 8 * 12.85 / 7 * 64] | map(. / 34.3 | round1)) | row);

def triple($numbers): if $numbers then $numbers | map(round1) | join(" / ") else "-" end;
def side_by_side:
    .runs as $runs
    | (["environment", "", "ranks", "paper, measured: computing / messages / waiting / all", "paper, predicted",
        "this reading"] | heading),
      (paper.breakdown[] as [$environment, $cut, $group, $ranks, $measured, $predicted]
       | ($runs | pick($cut; $environment)) as $run
       | [$run.ranks[$ranks[]]] as $own
       | [$environment, names[$cut], $group, triple($measured), triple($predicted),
          triple([("computing", "communication", "waiting") as $what | $own | map(.[$what]) | add / length]
                 + [$run.seconds])] | row);

# Every reading, as rows of CSV.
def csv:
    ["blocks are sent", "links", "sequence", "left-over", "order", "what is otherwise", "MB/s", "1: H-R gain %",
     "3: H gain %", "3: H-R gain %", "off by at most", "messages of 1: equal s", "1: H-R s", "3: equal s", "3: H s",
     "3: H-R s"],
    (["the paper", "", "", "", "", "", ""] + paper.gains + [""] + paper.communication),
    (judged | sort_by(.off)[]
     | [ways[.way], .links, .sequence, .left_over, .order, otherwise, (.bandwidth | round1), (.gains[] | round1),
        (.off | round1), (.communication[] | round1)])
    | @csv;

def markdown:
judged as $all
| ($all | map(select(.fitted and .times == "measured" and .share == 1))) as $grid
| ($all | map(select((.fitted and .times == "measured" and .share == 1) | not))) as $variants
| "### Each way to send, with the left-over and the order that come closest", "",
  reading_heading, paper_row,
  ($grid | group_by([.way, .links]) | map(min_by(.off)) | sort_by(.off)[] | reading), "",
  "### What else may have been otherwise, at half duplex", "",
  (["how blocks are sent", "what is otherwise", "sequence", "left-over", "1: H-R", "3: H", "3: H-R", "off by at most",
    "messages of 1: equal", "1: H-R", "3: equal", "3: H", "3: H-R"] | heading),
  ($variants | group_by([.way, .times, .share, .fitted]) | map(min_by(.off)) | sort_by(.off)[] | variant), "",
  "### Blocks that the busiest rank sends and receives, all by their owners", "", ($grid | counts), "",
  "### The paper's tables 3 and 4, and the reading that comes closest (seconds)", "",
  ($all | min_by(.off) | side_by_side), "",
  "### All readings", "", reading_heading, ($grid | sort_by(.off)[] | reading);
