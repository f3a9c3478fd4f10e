/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of motley surface report: what stands where, and under which title. */
(function () {
  const { data, unit, column, digits, percent, say, heading, table, folded, plot, series, diagram } = motley;
  const MOST_CURVES = 6, BLACK = 6;
  const surface = data.prediction;

  const nodes = column("nodes", "P", unit.count);
  const work = { write: (value) => digits(value, 3) };
  const levels = [
    column("efficiency", "efficiency", unit.percent), nodes,
    column("smallest", "from N", unit.count), column("smallest_work", "operations", unit.number, work),
    column("largest", "to N", unit.count), column("largest_work", "operations", unit.number, work),
  ];
  const best = [
    nodes, column("size", "N", unit.count), column("efficiency", "efficiency", unit.percent),
    column("seconds", "time", unit.seconds), column("speed", "speed of a node", unit.flops),
    column("speed_of_all", "of all", unit.flops), column("held_back", "why no larger", unit.text),
  ];
  const letter = (row) => row.along === "nodes" ? ["N", "P"] : ["P", "N"];
  const cliffs = [
    column("at", "at", unit.text, {
      get: (row) => letter(row)[0] + " = " + (row.along === "nodes" ? row.size : row.nodes),
    }),
    column("from", "from", unit.count, { write: (value, row) => letter(row)[1] + " = " + value }),
    column("to", "to", unit.count),
    column("before", "efficiency", unit.percent), column("after", "then", unit.percent),
  ];
  const points = [
    column("size", "N", unit.count), nodes, column("seconds", "time", unit.seconds),
    column("compute", "computing", unit.seconds), column("communicate", "messages", unit.seconds),
    column("speed", "speed of a node", unit.flops),
    column("efficiency", "efficiency", unit.percent, {
      write: (value, row) => percent(value) + (row.valid && !row.fits ? " *" : ""),
    }),
    column("memory", "memory of a node", unit.bytes),
  ];
  const speedups = [nodes].concat(...[["fixed_size"], ["fixed_time", "at N"], ["memory_bounded", "at N"]]
    .map(([key, size]) => [
      column(key, key.replace("_", " "), unit.number, { get: (row) => row[key].speedup }),
      ...(size ? [column(key, size, unit.count,
        { get: (row) => row[key].speedup === null ? null : row[key].size })] : []),
    ]));

  const name = surface.machine + " " + surface.algorithm;
  const simulated = surface.simulated ? " (simulated)" : "";

  /* At most `most` of a list: the first, the last, and others evenly between. */
  const some = (list, most) => list.length <= most ? list
    : Array.from({ length: most }, (_, i) => list[Math.round(i * (list.length - 1) / (most - 1))]);

  /* The points at one number of nodes, or at one size. */
  const at = (key, value) => surface.points.filter((point) => point[key] === value);

  /* The last point that fits, where not all do. */
  const limit = (row) => {
    const fitting = row.filter((point) => point.fits);
    return fitting.length > 0 && fitting.length < row.length ? fitting[fitting.length - 1] : undefined;
  };

  function overSizes() {
    if (surface.sizes.length < 2)
      return null;
    const share = (point) => [point.size, point.efficiency === null ? null : 100 * point.efficiency];
    const rows = some(surface.nodes, MOST_CURVES).map((value) => at("nodes", value));
    return diagram("Efficiency of " + name, "problem size N", "efficiency [%]", false, [
      ...rows.map((row, i) => series("P = " + row[0].nodes, "line", i, row.map(share))),
      series("memory limit", "points", BLACK, rows.map(limit).filter(Boolean).map(share)),
    ]);
  }

  function overNodes() {
    if (surface.nodes.length < 2)
      return null;
    const speed = (point) => [point.nodes, point.speed === null ? null : point.nodes * point.speed / 1e6];
    const rows = some(surface.sizes, MOST_CURVES).map((value) => at("size", value));
    return diagram("Speeds of " + name, "nodes P", "Mf of all nodes", true,
      rows.map((row, i) => series("N = " + row[0].size, "line", i, row.map(speed))));
  }

  /* The smallest and the largest sizes with each efficiency; where a size is the first or the
     last that was looked at, or the last that fits, the line is not known to end there. */
  function levelLines() {
    if (surface.nodes.length < 2 || surface.sizes.length < 2)
      return null;
    const first = surface.sizes[0], limits = new Map(surface.nodes.map((value) =>
      [value, Math.max(...at("nodes", value).filter((point) => point.fits).map((point) => point.size), 0)]));
    const efficiencies = [...new Set(surface.iso_efficiency.map((row) => row.efficiency))];
    const lines = efficiencies.flatMap((efficiency, i) => {
      const rows = surface.iso_efficiency.filter((row) => row.efficiency === efficiency);
      return [
        series(digits(100 * efficiency, 4) + " %", "line", i,
          rows.map((row) => [row.nodes, row.smallest > first ? row.smallest : null])),
        series(undefined, "line", i,
          rows.map((row) => [row.nodes, row.largest < limits.get(row.nodes) ? row.largest : null])),
      ];
    });
    return diagram("Levels of efficiency of " + name, "nodes P", "problem size N", true, [
      ...lines,
      series("best size", "points", MOST_CURVES - 1, surface.ridge.map((row) => [row.nodes, row.size])),
      series("memory limit", "line", BLACK, surface.nodes.map((value) => limit(at("nodes", value)))
        .filter(Boolean).map((point) => [point.nodes, point.size])),
    ].filter((line) => line.x.length > 0));
  }

  function speedupLines() {
    if (!surface.speedups || surface.nodes.length < 2)
      return null;
    const lines = ["fixed_size", "fixed_time", "memory_bounded"].map((key, i) => series(key.replace("_", " "), "line", i,
      surface.speedups.rows.map((row) => [row.nodes, row[key].speedup])));
    return diagram("Speed-ups of " + name, "nodes P", "speed-up over N = " + surface.speedups.base + " on one node", true,
      [...lines, series("ideal", "hint", BLACK, surface.nodes.map((value) => [value, value]))]);
  }

  function verdict() {
    const last = surface.ridge[surface.ridge.length - 1], on = "On " + last.nodes + (last.nodes === 1 ? " node" : " nodes");
    if (last.size === null)
      return on + " no size looked at runs and fits.";
    return on + " N = " + last.size + " is best: an efficiency of " + percent(last.efficiency) + ", " +
      unit.flops.write(last.speed_of_all) + " of all nodes together.";
  }

  function origin() {
    const most = Math.max(...surface.nodes), from = surface.learned;
    return (most > surface.machine_nodes
      ? surface.machine + " has " + surface.machine_nodes + " nodes: results for more are extrapolated. " : "") +
      (from ? surface.machine + " was learned from " + from.runs + " runs of N = " + from.sizes.join(" to ") + " on up to " +
        from.nodes + " nodes" + (from.error > 0 ? ", cross-validated error " + percent(from.error) : "") +
        (most > from.nodes ? "; beyond that it is extrapolated." : ".") : "");
  }

  motley.show({
    sections: {
      prediction: {
        title: "Efficiency of " + name + simulated,
        items: [
          say(verdict),
          say(() => "An efficiency of 100 % is " + unit.flops.write(surface.speed) + " on each node" + simulated +
            ". It is predicted from how fast nodes compute, read their memory and send messages."),
          say(origin),
          say(() => levelLines() ? "Between the two lines of a colour the efficiency is at least that, " +
            "except beyond a cliff. A line ends where the memory does, or the diagram." : ""),
          plot(levelLines),
          folded("iso_efficiency", "The sizes that reach an efficiency", levels),
          table("ridge", "The best size for each number of nodes", best),
          folded("cliffs", "Cliffs: a size 10 % larger, or a node more, loses over 10 % of the efficiency", cliffs),
          plot(overSizes),
          plot(overNodes),
          folded("points", "The figures of these diagrams", points),
          say((section) => section.points.some((row) => row.valid && !row.fits)
            ? "* does not fit into the memory of a node (" + unit.bytes.write(section.node_memory) + ")." : ""),
          heading("speedups", "Speed-ups"),
          plot(speedupLines),
          (section, parent) => section.speedups &&
            table("rows", "Speed-ups, were there memory enough", speedups)(section.speedups, parent),
        ],
      },
    },
  });
})();
