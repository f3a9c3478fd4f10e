/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of motley strassen report: what stands where, and under which title. */
(function () {
  const { unit, column, text, lines, copy, table, tiles } = motley;

  const cuts = [
    column("cut", "cut", unit.text), column("blocks", "blocks", unit.count), column("levels", "levels", unit.count),
    column("panels", "steps", unit.count, {
      write: (value, row) => value + (row.subpanels > 0 ? " x (1+" + row.subpanels + ")" : ""),
    }),
    column("seconds", "predicted", unit.seconds), column("measured", "measured", unit.seconds),
    column("flops", "Gflop/s", unit.gigaflops),
    column("gain", "gain", unit.change, { get: (row) => row.cut === "equal" ? undefined : row.gain }),
    column("bytes", "received", unit.bytes),
    column("bound", "/ bound", unit.text, {
      get: (row) => row.bound > 0 && row.bytes > 0 ? (row.bytes / row.bound).toFixed(2) : null,
      number: true,
    }),
  ];
  const ranks = [
    column("ranks", "ranks", unit.text), column("group", "group", unit.text), column("share", "share", unit.percent),
    column("computing", "computing", unit.seconds), column("communication", "communication", unit.seconds),
    column("waiting", "waiting", unit.seconds),
  ];
  const groups = [
    column("group", "group", unit.text), column("flops", "Gflop/s", unit.gigaflops),
    column("half", "half of it at n =", unit.count, { write: (value) => value.toFixed(0) }),
    column("bandwidth", "sums", unit.bandwidth),
  ];

  motley.show({
    sections: {
      plan: {
        title: "In short",
        items: [text("verdict"), text("drawn"), text("product"), lines("bounds"), copy("command", "To make this product:")],
      },
      cut: {
        title: "Who has which part of C",
        items: [
          table("cuts", "Cuts, by what is predicted", cuts),
          tiles("picture"),
          table("ranks", "Where the time of each rank goes", ranks),
        ],
      },
      known: { title: "What it is predicted from", items: [table("groups", "Speeds", groups), lines("network")] },
    },
  });
})();
