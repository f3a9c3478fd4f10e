# From the lines of `heho` (slurped) to the short table that README.md shows.
include "targets";

def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def value: if .metric == "groups with one node" and .value == 1 then "works"
           else .value | percent end;

targets(0.02) as $at_2 | targets(0.05) as $at_5
| "| worst of 4 programs on 6 clusters, 2 % noise (simulated) | papers (NP-T) | wanted | `auto` | where | 5 % noise |",
  "|---|--:|--:|--:|---|--:|",
  (range($at_2 | length) as $i | $at_2[$i]
   | "| " + ([.metric,
       (if .metric == "groups with one node" then .papers else .of_papers | percent end),
       .wanted, (if .met then value else "**\(value)**" end), (.at // "-"),
       ($at_5[$i] | value)] | join(" | ")) + " |")
