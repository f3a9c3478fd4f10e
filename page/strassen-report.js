/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of motley strassen report: what stands where, and under which title. */
(function () {
  const { data, unit, column, change, percent, seconds, say, table, folded, tiles } = motley;
  const plan = data.plan, cutOf = (kind) => plan.cuts.find((cut) => cut.cut === kind), drawn = cutOf(plan.drawn);
  const simulated = plan.simulated ? " (simulated)" : "";

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
  const part = (key) => column(key, key, unit.seconds, { get: (row) => row.predicted[key] });
  const ranks = [
    column("rank", "rank", unit.count), column("group", "group", unit.text), column("share", "share", unit.percent),
    part("computing"), part("communication"), part("waiting"),
  ];
  const groups = [
    column("group", "group", unit.text), column("flops", "Gflop/s", unit.gigaflops),
    column("half", "half of it at n =", unit.count, { write: (value) => value.toFixed(0) }),
    column("bandwidth", "sums", unit.bandwidth),
  ];

  /* What a product took, or else what is predicted. */
  const takes = (cut) => cut.measured === null ? cut.seconds : cut.measured;

  function verdict() {
    const best = cutOf(plan.best), promising = cutOf(plan.promising);
    return "The best cut, " + best.cut + ", takes " + seconds(takes(best)) + simulated +
      (best.cut === "equal" ? "." : ": " + change(takes(cutOf("equal")) / takes(best) - 1) + " over equal blocks.") +
      (promising !== best ? " " + promising.cut + " is predicted to take " + seconds(promising.seconds) +
        ", but no product has confirmed that." : "") +
      (drawn !== best ? " What follows is the cut " + drawn.cut + ", which takes " + seconds(drawn.seconds) + "." : "");
  }

  function product() {
    return plan.m + " x " + plan.k + " by " + plan.k + " x " + plan.n + ", on " + drawn.ranks.length + " ranks: " +
      plan.configuration + ".";
  }

  /* Who has which part of C: ranks of a group have its colour, those beside each other
     different shades. */
  function picture() {
    const names = [...new Set(drawn.ranks.map((rank) => rank.group))];
    const members = names.map((name) => drawn.ranks.filter((rank) => rank.group === name));
    const groups = names.map((name, i) => ({
      name,
      legend: name + ": " + members[i].length + (members[i].length === 1 ? " rank, " : " ranks, ") +
        percent(members[i].reduce((sum, rank) => sum + rank.share, 0)),
    }));
    return {
      title: plan.cluster + ", cut: " + drawn.cut + ", predicted: " + seconds(drawn.seconds) + simulated,
      columns: plan.n, rows: plan.m, groups,
      tiles: drawn.tiles.map((tile) => {
        const group = names.indexOf(drawn.ranks[tile.rank].group);
        return { ...tile, name: tile.minor ? "(" + tile.rank + ")" : String(tile.rank), group,
          shade: members[group].findIndex((rank) => rank.rank === tile.rank) };
      }),
    };
  }

  function network({ latency, bandwidth, exchange, overlap }) {
    return "Network: " + unit.bandwidth.write(bandwidth) + " after " + seconds(latency) + "; an exchange takes " +
      exchange.toFixed(2) + " times as long; " + (overlap === null
        ? "how much multiplying meanwhile hides was not measured, and is taken as nothing."
        : "multiplying meanwhile hides " + (100 * overlap).toFixed(0) + " % of it.");
  }

  motley.show({
    sections: {
      plan: {
        title: "Who has which part of C",
        items: [
          say(verdict), say(product),
          table("cuts", "Cuts, by what is predicted", cuts),
          tiles(picture),
          (section, parent) => folded("ranks", "Where the time of each rank goes", ranks)(drawn, parent),
          (section, parent) => table("groups", "What it is predicted from: speeds", groups)(section.known, parent),
          say((section) => drawn.ranks.length > 1 ? network(section.known.network) : ""),
        ],
      },
    },
  });
})();
