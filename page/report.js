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
  const layout = (row) => row.processes + (row.threads > 1 ? "t" + row.threads : "") +
    (row.gpus ? "g" + row.gpus : "") + (row.bind ? "@" + row.bind : "");
  const models = [
    column("group", "group", unit.text, { get: (row) => row.configuration || row.group }),
    column("processes", "a node", unit.text, { get: (row) => row.configuration ? undefined : layout(row) }),
    column("runs", "runs", unit.count),
    column("terms", "terms", unit.text, {
      get: (row) => row.terms && row.terms.filter((term) => term.coefficient !== 0).map((term) => term.term).join(", "),
    }),
    column("residual", "residual", unit.percent), column("cross_validated", "cross-validated", unit.percent),
  ];
  const links = [
    column("from", "from", unit.text), column("to", "to", unit.text),
    column("latency", "latency", unit.seconds), column("bandwidth", "bandwidth", unit.bandwidth),
  ];
  motley.show({
    intro: [
      say((all) => all.simulated ? "All times are simulated." : ""),
      text("note"),
      say(() => "'a:3x2' is 3 nodes of the group a with 2 processes on each; t4 behind that is 4 threads in each process, " +
        "g1 a GPU for each, and @core how they are bound. P is the number of processes."),
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
      lateness: { title: "Who was late", items: [text("run"), lines("findings")] },
      origin: { title: "Where this comes from", items: [text("runs"), text("files")] },
    },
  });
})();
