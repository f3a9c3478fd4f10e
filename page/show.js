/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the data of a page as text, lists and tables. A layout, such as report.js, says
   which members of which section, in which order and under which titles. Diagrams get
   their place here, and are drawn by page.js: without them a page can still be read. */
const motley = (function () {
  /* Characters that only steer a terminal or turn the direction of a text, as in lib/base/text.c. */
  const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;
  const data = JSON.parse(document.querySelector("body > script[type='application/json']").textContent,
    (key, value) => typeof value === "string" ? value.replace(CONTROL, "?") : value);

  function make(name, parent, text) {
    const element = document.createElement(name);
    if (text !== undefined)
      element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  /* Numbers as motley prints them, cli/common/format.c. */
  function digits(value, count) {
    return String(Number(value.toPrecision(count)));
  }

  function two(value) {
    return String(value).padStart(2, "0");
  }

  function longTime(value) {
    const whole = Math.round(value), minutes = Math.round(value / 60), hours = Math.round(value / 3600);
    if (whole < 3600)
      return Math.floor(whole / 60) + " min " + two(whole % 60) + " s";
    if (minutes < 24 * 60)
      return Math.floor(minutes / 60) + " h " + two(minutes % 60) + " min";
    return Math.floor(hours / 24) + " d " + two(hours % 24) + " h";
  }

  function seconds(value) {
    if (value < 0)
      return "-";
    if (value < 1e-12 || value >= 1e9)
      return digits(value, 4) + " s";
    if (value >= 599.95)
      return longTime(value);
    const units = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];
    const [name, unit] = units.find(([, unit]) => value >= 0.99995 * unit) || units[3];
    const scaled = value / unit;
    return scaled.toFixed(scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : 1) + " " + name;
  }

  function bytes(value) {
    const units = ["B", "KiB", "MiB", "GiB"];
    let unit = 0;
    for (; value >= 1024 && unit < 3; unit++)
      value /= 1024;
    return digits(value, 4) + " " + units[unit];
  }

  function rate(name) {
    return (value) => {
      let prefix = 0;
      for (; value >= 999.5 && prefix < 5; prefix++)
        value /= 1000;
      return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + " " + " kMGTP"[prefix].trim() + name;
    };
  }

  function percent(share) {
    return Math.abs(share) < 0.0005 ? "0.0 %" : (100 * share).toFixed(1) + " %";
  }

  function change(share) {
    return (share >= 0.0005 ? "+" : "") + percent(share);
  }

  /* How a column writes its values; `number`: flush right. */
  const unit = {
    text: { write: String },
    count: { write: String, number: true },
    number: { write: (value) => digits(value, 4), number: true },
    seconds: { write: seconds, number: true },
    bytes: { write: bytes, number: true },
    bandwidth: { write: rate("B/s"), number: true },
    flops: { write: rate("f"), number: true },
    gigaflops: { write: (value) => digits(value / 1e9, 4), number: true },
    percent: { write: percent, number: true },
    change: { write: change, number: true },
  };

  /* A column of a table: the member `key` of each row, or what `get` takes from the row;
     `write`, unless its unit does, writes value and row. */
  function column(key, title, kind, more) {
    return { key, title, get: (row) => row[key], write: kind.write, number: kind.number, ...more };
  }

  /* A text whose lines may end behind each '+', as between the groups of a configuration. */
  function breakable(parent, text) {
    text.split(/(?<=\+)/).forEach((part, i) => {
      if (i > 0)
        make("wbr", parent);
      parent.append(part);
    });
  }

  function cell(parent, column, row) {
    const value = column.get(row);
    if (value === undefined)
      return;
    if (value === null)
      parent.append("-");
    else if (typeof value === "number") {
      const exact = make("data", parent, column.write(value, row));
      exact.value = String(value);
    } else
      breakable(parent, typeof value === "boolean" ? (value ? "yes" : "no") : column.write(value, row));
  }

  function isKnown(value) {
    return value !== undefined && value !== null && value !== "";
  }

  /* A column of which no row knows anything is left out. */
  function addTable(parent, rows, caption, columns) {
    const shown = columns.filter((column) => rows.some((row) => isKnown(column.get(row))));
    const wide = make("div", parent);
    wide.className = "wide";
    wide.tabIndex = 0;
    const table = make("table", wide);
    make("caption", table, caption);
    const head = make("tr", make("thead", table));
    for (const column of shown) {
      const title = make("th", head, column.title);
      title.scope = "col";
      title.className = column.number ? "number" : "";
    }
    const body = make("tbody", table);
    for (const row of rows) {
      const line = make("tr", body);
      for (const column of shown) {
        const place = make("td", line);
        place.className = column.number ? "number" : "";
        cell(place, column, row);
      }
    }
  }

  /* What a layout is made of. Each takes the section's data and its element, and shows
     nothing where the data has no such member. */
  function text(key) {
    return (section, parent) => {
      if (section[key])
        make("p", parent, section[key]);
    };
  }

  function say(words) {
    return (section, parent) => {
      const said = words(section);
      if (said)
        make("p", parent, said);
    };
  }

  function heading(key, title) {
    return (section, parent) => {
      if (section[key])
        make("h3", parent, title);
    };
  }

  function lines(key) {
    return (section, parent) => {
      if (!section[key] || section[key].length === 0)
        return;
      const list = make("ul", parent);
      for (const line of section[key])
        make("li", list, line);
    };
  }

  /* What is to be copied: a command, or the text of a file. */
  function copy(key, what) {
    return (section, parent) => {
      if (!section[key])
        return;
      const box = make("div", parent);
      box.className = "copy";
      make("p", box, typeof what === "function" ? what(section) : what);
      const pre = make("pre", box);
      pre.tabIndex = 0;
      make("code", pre, section[key]);
    };
  }

  function table(key, caption, columns) {
    return (section, parent) => {
      if (section[key])
        addTable(parent, section[key], typeof caption === "function" ? caption(section) : caption, columns);
    };
  }

  /* The same, which the reader has to open. */
  function folded(key, caption, columns) {
    return (section, parent) => {
      if (!section[key])
        return;
      const details = make("details", parent);
      const title = typeof caption === "function" ? caption(section) : caption;
      make("summary", details, title);
      addTable(details, section[key], title, columns);
    };
  }

  /* A diagram that is a member of the section, or that `what` makes of it. */
  function plot(what) {
    return (section, parent) => {
      const diagram = typeof what === "function" ? what(section) : section[what];
      if (!diagram)
        return;
      const figure = make("figure", parent);
      make("figcaption", figure, diagram.title + (diagram.subtitle ? " (" + diagram.subtitle + ")" : ""));
      const script = document.createElement("script");
      script.type = "application/json";
      script.textContent = JSON.stringify(diagram);
      figure.appendChild(script);
    };
  }

  /* A series of such a diagram, of a list of [x, y]; null: y is not known. */
  function series(label, style, color, points) {
    const known = points.filter(([, y]) => y !== null);
    return { label, style, color, x: known.map(([x]) => x), y: known.map(([, y]) => y), low: [], high: [], names: [] };
  }

  /* A diagram of one panel on a logarithmic x axis. */
  function diagram(title, x_label, y_label, log_y, all) {
    return { title, x_label, log_x: true, marks: [], panels: [{ y_label, log_y, series: all }] };
  }

  /* By Okabe and Ito (2008), as in cli/plot/plot_tiles.c, which a test looks at; of a
     group's tiles some are lighter. */
  const COLORS = [0x0072b2, 0xf0e442, 0x009e73, 0xd55e00, 0xe69f00, 0x56b4e9, 0x999999, 0xcc79a7];
  const SHADES = 3;

  function parts(group, shade) {
    const white = 0.08 * (shade % SHADES);
    return [16, 8, 0].map((shift) => {
      const part = (COLORS[group % COLORS.length] >> shift) & 0xff;
      return Math.round(part + white * (255 - part));
    });
  }

  /* Black or white, whichever can be read on it (WCAG 2, relative luminance). */
  function inkOn(color) {
    const even = Math.sqrt(0.05 * 1.05) - 0.05;
    const light = color.map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4)));
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > even ? "#000" : "#fff";
  }

  function draw(name, parent, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes)
      element.setAttribute(key, attributes[key]);
    parent.appendChild(element);
    return element;
  }

  const WIDTH = 1000, LETTERS = 36; /* of a rectangle in tiles */

  /* "3: xeon-2.4, rows 0 to 5000, columns 0 to 7000" */
  function nameOf(tiles, tile) {
    const [top, bottom] = [tile.top, tile.bottom].map((share) => Math.round(share * tiles.rows));
    const [left, right] = [tile.left, tile.right].map((share) => Math.round(share * tiles.columns));
    return tile.name + ": " + tiles.groups[tile.group].name + ", rows " + top + " to " + bottom +
      ", columns " + left + " to " + right;
  }

  function drawTile(svg, tiles, tile, height) {
    const width = WIDTH * (tile.right - tile.left), high = height * (tile.bottom - tile.top);
    const x = WIDTH * tile.left, y = height * tile.top, color = parts(tile.group, tile.shade);
    const group = draw("g", svg, {});
    draw("title", group, {}).textContent = nameOf(tiles, tile);
    draw("rect", group, { x, y, width, height: high, fill: "rgb(" + color + ")", stroke: "#333",
      "stroke-width": tile.minor ? 1 : 3 });
    draw("text", group, { x: x + width / 2, y: y + high / 2, "font-size": Math.min(LETTERS, 0.5 * Math.min(width, high)),
      "text-anchor": "middle", "dominant-baseline": "central", fill: inkOn(color) }).textContent = tile.name;
  }

  /* A rectangle in tiles, which `what` makes of the section. */
  function tiles(what) {
    return (section, parent) => {
      const all = what(section);
      const height = WIDTH * Math.min(2, Math.max(0.25, all.rows / all.columns)); /* a flat one could not be read */
      const figure = make("figure", parent);
      make("figcaption", figure, all.title);
      const svg = draw("svg", figure, { class: "tiles", viewBox: "0 0 " + WIDTH + " " + height, role: "img",
        "aria-label": all.title });
      for (const tile of all.tiles)
        drawTile(svg, all, tile, height);
      const legend = make("ul", figure);
      legend.className = "legend";
      all.groups.forEach((group, i) => {
        if (!group.legend)
          return;
        const line = make("li", legend);
        const box = draw("svg", line, { width: 14, height: 14, "aria-hidden": "true" });
        draw("rect", box, { width: 14, height: 14, fill: "rgb(" + parts(i, 0) + ")" });
        line.append(" " + group.legend);
      });
    };
  }

  function addSection(main, layout, section, many) {
    const element = make("section", main);
    if (many)
      element.dataset.size = String(section.size);
    make("h2", element, typeof layout.title === "function" ? layout.title(section) : layout.title);
    for (const item of layout.items)
      item(section, element);
  }

  /* `intro`: what stands above all sections, of the data as a whole; `sections`: by their
     keys, each with its title and items, in the order of the data. */
  function show(layout) {
    const main = document.querySelector("main");
    for (const item of layout.intro || [])
      item(data, main);
    for (const [key, value] of Object.entries(data))
      if (layout.sections[key])
        for (const section of [].concat(value))
          addSection(main, layout.sections[key], section, Array.isArray(value));
  }

  return { data, unit, column, digits, seconds, percent, change, text, say, heading, lines, copy, table, folded, plot, series, diagram, tiles,
    show };
})();
