/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of motley report: what stands where, and under which title. */
(function () {
  const { data, unit, column, digits, seconds, text, say, heading, lines, copy, table, folded, plot } = motley;

  /* A predicted time, and the interval of 90 % of runs. */
  const prediction = [
    column("seconds", "predicted", unit.seconds),
    column("low", "90 % interval", unit.seconds, {
      get: (row) => row.low === undefined ? undefined
        : seconds(row.low) + " - " + seconds(row.high) + (row.unseen ? " ?" : row.extrapolated ? " *" : ""),
      write: String,
    }),
  ];
  const cost = column("cost", "cost", unit.number, {
    write: (value) => digits(value, 4) + (data.currency ? " " + data.currency : ""),
  });
  const energy = column("joules", "energy", unit.number, { write: (value) => digits(value / 1000, 4) + " kJ" });
  const configuration = column("configuration", "configuration", unit.text);
  const shape = [column("ranks", "P", unit.count), column("nodes", "nodes", unit.count)];

  const points = [column("of", "of", unit.text), column("nodes", "nodes", unit.count), column("ranks", "P", unit.count),
    configuration, ...prediction];
  const choices = [
    configuration, ...shape, ...prediction,
    column("measured", "measured", unit.seconds, {
      write: (value, row) => (row.runs > 1 ? row.runs + " x " : "") + seconds(value),
    }),
    column("speed", "Gflop/s", unit.gigaflops),
    column("efficiency", "efficiency", unit.percent),
    cost, energy,
    column("chance", "chance", unit.percent),
  ];
  const front = [
    column("point", "point", unit.count), ...prediction,
    column("slower", "slower", unit.percent), cost, energy,
    column("saves", "saves", unit.percent), ...shape, configuration,
  ];
  const best = column("configuration", "best configuration", unit.text);
  const changes = [column("from", "from N on", unit.count), best];
  const sizes = [column("size", "N", unit.count), best, ...prediction, ...shape, cost];
  const residuals = [
    configuration, column("size", "N", unit.count),
    column("seconds", "predicted", unit.seconds), column("measured", "measured", unit.seconds),
    column("runs", "runs", unit.count), column("error", "error", unit.change),
  ];
  const models = [
    column("group", "group", unit.text), column("layout", "a node", unit.text), column("runs", "runs", unit.count),
    column("terms", "terms", unit.text), column("residual", "residual", unit.percent),
    column("cross_validated", "cross-validated", unit.percent),
  ];
  const links = [
    column("from", "from", unit.text), column("to", "to", unit.text),
    column("latency", "latency", unit.seconds), column("bandwidth", "bandwidth", unit.bandwidth),
  ];
  const ranks = [
    column("rank", "rank", unit.count), column("node", "node", unit.text), column("waiting", "waited", unit.seconds),
    column("late", "calls late", unit.count), column("cost", "cost the others", unit.seconds),
  ];
  const FEW_RANKS = 20;
  const ranksTable = (section, parent) =>
    (section.ranks.length > FEW_RANKS ? folded : table)("ranks", "Ranks", ranks)(section, parent);

  motley.show({
    intro: [
      say((all) => all.simulated ? "All times are simulated." : ""),
      text("note"),
      text("explanation"),
    ],
    sections: {
      sizes: {
        title: (section) => "N = " + section.size,
        items: [
          text("why_not"),
          text("verdict"),
          copy("launch", (section) => section.in_folder
            ? "Start it, in a folder with its input files filled in, by" : "Start it by"),
          copy("hostfile", "where these lines are the file 'hostfile'"),
          text("not_launched"),
          copy("sbatch", "Or by this script, with sbatch"),
          plot("times"),
          folded("points", "The figures of this diagram", points),
          table("choices", "The best configurations", choices),
          lines("notes"),
          heading("front", "What less time costs"),
          plot("front"),
          folded("front_points", (section) => "From the fastest to that of least " + section.front_against, front),
          lines("front_notes"),
        ],
      },
      map: {
        title: "Decision map",
        items: [
          text("why_not"),
          plot("diagram"),
          table("changes", "From which size on which is the best", changes),
          folded("sizes", "The best of each size", sizes),
          lines("notes"),
        ],
      },
      models: {
        title: "Models and runs",
        items: [
          plot("diagram"),
          folded("worst", "The runs that the models are farthest off", residuals),
          folded("all", "The models", models),
          lines("left_out"),
        ],
      },
      missing: { title: "There is nothing to plan by yet", items: [text("why"), text("what_to_do")] },
      links: {
        title: "What motley check measured between nodes",
        items: [table("links", "Links between the nodes of groups", links)],
      },
      lateness: { title: "Who was late", items: [text("run"), lines("findings"), ranksTable] },
      origin: { title: "Where this comes from", items: [text("runs"), text("files")] },
    },
  });
})();
