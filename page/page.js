/* SPDX-License-Identifier: BSD-3-Clause */
/* What a page of motley does beyond being read: diagrams, one size at a time, copying. */
"use strict";
(function () {
  const HEIGHT = 340;
  const TICK_WIDTH = 50;
  const LABEL_WIDTH = 90; /* of the longest name at the end of a line */
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const BLACK = 6; /* of what others are compared with */
  const charts = [];

  function make(name, parent, text) {
    const element = document.createElement(name);
    if (text !== undefined)
      element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  /* There are six colours, and black. Series beyond begin with the first colour again, in
     other dashes, or as rings in place of dots. */
  function hue(number) {
    return "--s" + (number <= BLACK ? number : (number - 1) % BLACK);
  }

  function again(number) {
    return number > BLACK;
  }

  function dash(number) {
    return DASHES[(number + (again(number) ? 3 : 0)) % DASHES.length];
  }

  function color(number) {
    return getComputedStyle(document.documentElement).getPropertyValue(hue(number)).trim();
  }

  function ink(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name);
  }

  /* As people read it: four digits; of what is counted, as nodes and sizes, all. */
  function number(value) {
    if (value === null || value === undefined)
      return "-";
    if (Number.isInteger(value))
      return String(value);
    const short = Number(value.toPrecision(4));
    return value !== 0 && Math.abs(value) < 1e-3 ? short.toExponential() : String(short);
  }

  /* A line may have two values at one x, where it jumps: the second is put a bit behind. */
  function apart(series) {
    const x = series.x.slice();
    for (let i = 1; i < x.length; i++)
      if (x[i] <= x[i - 1])
        x[i] = x[i - 1] * (1 + 1e-6);
    return { ...series, x };
  }

  /* Series with x of their own, on the x of all. */
  function join(panel) {
    const all = [...new Set(panel.series.flatMap((series) => series.x))].sort((a, b) => a - b);
    const at = new Map(all.map((x, i) => [x, i]));
    const spread = (series, values) => {
      const column = new Array(all.length).fill(undefined);
      series.x.forEach((x, i) => { column[at.get(x)] = values[i]; });
      return column;
    };
    return { all, spread };
  }

  /* Several points of one series at one x, of which a diagram shows each: the series is
     cut into layers with one of them. */
  function layers(series) {
    const result = [];
    const seen = new Map();
    series.x.forEach((x, i) => {
      const layer = seen.get(x) || 0;
      seen.set(x, layer + 1);
      result[layer] = result[layer] || { ...series, x: [], y: [], low: [], high: [], names: [] };
      for (const key of ["x", "y", "low", "high", "names"])
        if (series[key].length)
          result[layer][key].push(series[key][i]);
    });
    return result;
  }

  /* An axis as long as its data, with some room; of a logarithmic one uPlot would make
     whole powers of ten. */
  function logarithmic(u, low, high) {
    return low > 0 ? [low / 1.1, high * 1.1] : [1, 10];
  }

  /* Round numbers on such an axis: 1, 2 and 5 by powers of ten, or if these are few those
     that split it evenly. */
  function split(u, axis, low, high) {
    const round = [];
    for (let power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10)
      for (const digit of [1, 2, 5])
        round.push(digit * power);
    const inside = round.filter((tick) => tick >= low && tick <= high);
    if (axis === 0 && inside.length > u.width / TICK_WIDTH)
      return inside.filter((tick) => Number.isInteger(Math.log10(tick)));
    if (inside.length >= 3)
      return inside;
    const step = Math.pow(10, Math.floor(Math.log10(high - low)));
    const even = [];
    for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step)
      even.push(tick);
    return even;
  }

  function scale(log) {
    return log ? { distr: 3, range: logarithmic } : { distr: 1 };
  }

  function ticks(log) {
    return log ? { splits: split, filter: (u, splits) => splits } : {};
  }

  /* What a diagram has written into it: the name of each line at its end, and of a single
     named point beside it. */
  function labels(parts) {
    const ends = parts.filter((part) => part.style === "line" && part.label && part.x.length > 1)
      .map((part) => ({ text: part.label, x: part.x[part.x.length - 1], y: part.y[part.y.length - 1], color: part.color }));
    const points = parts.filter(isMark)
      .map((part) => ({ text: part.names[0], x: part.x[0], y: part.y[0], color: part.color }));
    return ends.concat(points);
  }

  function isMark(part) {
    return part.style === "points" && part.x.length === 1 && part.names.length === 1;
  }

  /* Labels that would overlap are moved down. */
  function write(u, all, hidden) {
    const pixel = devicePixelRatio, placed = [];
    u.ctx.save();
    u.ctx.font = 12 * pixel + "px system-ui, sans-serif";
    u.ctx.textAlign = "left";
    u.ctx.textBaseline = "alphabetic";
    u.ctx.strokeStyle = ink("ground");
    u.ctx.lineWidth = 4 * pixel;
    const wanted = all.filter((label) => !hidden.has(label.color))
      .map((label) => ({ ...label, x: u.valToPos(label.x, "x", true) + 9 * pixel, y: u.valToPos(label.y, "y", true) + 4 * pixel }))
      .sort((a, b) => a.y - b.y);
    for (const label of wanted) {
      label.width = u.ctx.measureText(label.text).width;
      for (const other of placed)
        if (label.x < other.x + other.width && other.x < label.x + label.width)
          label.y = Math.max(label.y, other.y + 14 * pixel);
      placed.push(label);
      u.ctx.fillStyle = color(label.color);
      u.ctx.strokeText(label.text, label.x, label.y);
      u.ctx.fillText(label.text, label.x, label.y);
    }
    u.ctx.restore();
  }

  function draw(chart, panel, target, width) {
    const parts = panel.series.flatMap((series) =>
      series.style === "points" ? layers(series) : [apart(series)]);
    const { all, spread } = join({ series: parts });
    const data = [all], series = [{}], bands = [];
    for (const part of parts) {
      const stroke = color(part.color);
      const line = part.style !== "points" && part.x.length > 1;
      const bare = line && (part.x.length >= 40 || panel.series.some(
        (other) => other.style === "points" && other.color === part.color));
      const shown = !chart.hidden.has(part.color);
      if (line && part.style === "line" && part.low.length) {
        data.push(spread(part, part.high), spread(part, part.low));
        const edge = { show: shown, stroke: "transparent", width: 0, points: { show: false }, spanGaps: true };
        bands.push({ series: [series.length, series.length + 1], fill: stroke + "26" });
        series.push(edge, { ...edge });
      }
      data.push(spread(part, part.y));
      series.push({
        label: part.label || "", show: shown, stroke, spanGaps: true,
        width: part.style === "hint" ? 1 : 2, dash: line ? dash(part.color) : [],
        paths: line ? undefined : () => null,
        points: isMark(part) ? { show: true, size: 14, width: 2, fill: "transparent" }
          : { show: !bare, size: line ? 5 : 7, fill: again(part.color) ? ink("ground") : stroke },
        named: part.label || (part.style === "points" ? panel.y_label : undefined),
        names: spread(part, part.names),
      });
    }
    const axis = { stroke: ink("ink"), grid: { stroke: ink("line"), width: 1 }, ticks: { stroke: ink("line") } };
    const values = (u, ticks) => ticks.map((tick) => tick === null ? "" : number(tick));
    return new uPlot({
      width, height: HEIGHT, series, bands, padding: [null, LABEL_WIDTH, null, null],
      scales: { x: { time: false, ...scale(chart.data.log_x) }, y: scale(panel.log_y) },
      axes: [
        { ...axis, label: chart.data.x_label, values, ...ticks(chart.data.log_x) },
        { ...axis, label: panel.y_label, size: 70, values, ...ticks(panel.log_y) },
      ],
      legend: { show: false }, cursor: { drag: { x: true, y: false } },
      hooks: { setCursor: [(u) => say(chart, u)], draw: [(u) => write(u, labels(parts), chart.hidden)] },
    }, data, target);
  }

  /* The figures under the pointer, or how to see them. */
  function say(chart, u) {
    const i = u.cursor.idx;
    if (i === null || i === undefined) {
      chart.figures.textContent = "Point at the diagram for its figures; " +
        "drag to enlarge a part, double-click to see all.";
      return;
    }
    const there = (y) => y !== undefined && y !== null;
    /* where a line jumps, its second value is just behind, or the point just before */
    const same = [i, i - 1, i + 1].filter((k) => Math.abs(u.data[0][k] / u.data[0][i] - 1) < 1e-5);
    const found = new Map(); /* of each name, its values */
    u.series.forEach((series, s) => {
      const k = same.find((k) => there(u.data[s][k]));
      if (!series.named || !series.show || k === undefined)
        return;
      const name = series.names[k] ? series.named + ", " + series.names[k] + "," : series.named;
      found.set(name, (found.get(name) || []).concat(u.data[s][k]));
    });
    const figures = [...found].map(([name, values]) => name + " " + (values.length === 1 ? number(values[0])
      : number(Math.min(...values)) + " to " + number(Math.max(...values)) + " (" + values.length + ")"));
    chart.figures.textContent = chart.data.x_label + " " + number(u.data[0][i]) +
      (figures.length ? ": " + figures.join("; ") : "");
  }

  function redraw(chart) {
    const width = chart.figure.clientWidth;
    if (width === 0)
      return; /* it is not shown */
    chart.plots.forEach((plot) => plot.destroy());
    chart.plots = chart.data.panels.map((panel, i) => draw(chart, panel, chart.targets[i], width));
  }

  function key(chart, series) {
    const label = make("label", chart.keys);
    const box = make("input", label);
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked)
        chart.hidden.delete(series.color);
      else
        chart.hidden.add(series.color);
      redraw(chart);
    });
    label.insertAdjacentHTML("beforeend", '<svg width="28" height="10" aria-hidden="true">' +
      (series.style === "points"
        ? '<circle cx="14" cy="5" r="3.5" stroke-width="1.5" stroke="var(' + hue(series.color) + ')" fill="' +
          (again(series.color) ? "none" : "var(" + hue(series.color) + ")") + '"/>'
        : '<line x1="0" y1="5" x2="28" y2="5" stroke="var(' + hue(series.color) + ')" stroke-width="2.5" stroke-dasharray="' +
          dash(series.color).join(" ") + '"/>') + "</svg>");
    make("span", label, series.label);
  }

  function begin(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    /* hidden: colours; series of one colour are of one thing */
    const chart = { figure, data, plots: [], hidden: new Set() };
    chart.keys = make("fieldset", figure);
    chart.keys.className = "keys";
    chart.keys.setAttribute("aria-label", "Shown in the diagram");
    data.panels[0].series.forEach((series) => { if (series.label && series.x.length) key(chart, series); });
    chart.targets = data.panels.map((panel) => {
      const target = make("div", figure);
      target.setAttribute("role", "img");
      target.setAttribute("aria-label", data.title + ": " + panel.y_label + " over " + data.x_label +
        "; what counts in it is in a table of this section, too");
      return target;
    });
    chart.figures = make("div", figure);
    chart.figures.className = "figures";
    say(chart, { cursor: {} });
    charts.push(chart);
  }

  function chooseSizes() {
    const sections = [...document.querySelectorAll("section[data-size]")];
    if (sections.length < 2)
      return;
    const box = document.createElement("p");
    box.className = "sizes";
    const label = make("label", box, "Problem size N ");
    const select = make("select", label);
    for (const section of sections)
      make("option", select, section.dataset.size);
    const show = () => {
      sections.forEach((section, i) => { section.hidden = i !== select.selectedIndex; });
      charts.forEach(redraw);
    };
    select.selectedIndex = sections.length - 1;
    select.addEventListener("change", show);
    sections[0].before(box);
    show();
  }

  function offerToCopy(box) {
    const button = make("button", box, "Copy");
    button.type = "button";
    button.addEventListener("click", async () => {
      const code = box.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch (refused) { /* by the browser, as of pages that are files */
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: copy it by the keyboard";
      }
    });
  }

  document.querySelectorAll("figure > script").forEach((script) => begin(script.parentElement));
  document.querySelectorAll(".copy").forEach(offerToCopy);
  chooseSizes();
  charts.forEach(redraw);
  addEventListener("resize", () => charts.forEach(redraw));
  for (const media of ["(prefers-color-scheme: dark)", "print"])
    matchMedia(media).addEventListener("change", () => charts.forEach(redraw));
})();
