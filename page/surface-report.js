/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of motley surface report: what stands where, and under which title. */
(function () {
  const { data, unit, column, digits, percent, text, say, lines, table, folded, plot } = motley;

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

  motley.show({
    sections: {
      prediction: { title: "In short", items: [text("verdict"), text("meaning"), lines("origin")] },
      efficiency: {
        title: "Efficiency over nodes and sizes",
        items: [
          say((section) => section.diagram ? "Between the two lines of a colour the efficiency is at least that, " +
            "except beyond a cliff. A line ends where the memory does, or the diagram." : ""),
          plot("diagram"),
          folded("levels", "The sizes that reach an efficiency", levels),
          table("best", "The best size for each number of nodes", best),
          folded("cliffs", "Cliffs: a size 10 % larger, or a node more, loses over 10 % of the efficiency", cliffs),
          say((section) => section.cliffs_more ? "There are " + section.cliffs_more + " more of them." : ""),
        ],
      },
      lines: {
        title: "Over sizes, and over nodes",
        items: [
          plot("sections"),
          plot("speeds"),
          folded("points", "The figures of these diagrams", points),
          say((section) => section.points.some((row) => row.valid && !row.fits)
            ? "* does not fit into the memory of a node (" + unit.bytes.write(data.node_memory) + ")." : ""),
        ],
      },
      speedup: {
        title: "Speed-ups",
        items: [plot("diagram"), table("speedups", "Speed-ups, were there memory enough", speedups)],
      },
    },
  });
})();
