"use strict";
// Draws arrays: cells as tiles along the axis of indexes, one colour for each group. A group whose
// range contains no cells of other groups is one bar. Where groups are mixed, each cell is a tile,
// and its place is only an example.
const Draw = (() => {
  const COLOURS = 10, BAR = 34, ARCS = 44, CHARACTER = 7.3;

  function svg(name, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const letter = n => n < 26 ? String.fromCharCode(65 + n) : "#" + (n + 1);

  // The contents of cells determine their colour, so it stays the same from line to line. Groups of
  // one array always have different colours.
  const known = new Map();
  function signature(group) {
    if (group.holds.length === 0 && group.links.length === 0) return "";
    return group.holds.join("\n") || group.links.map(l => l.name).join("\n");
  }
  function colours(array) {
    const used = new Set();
    return array.groups.map(group => {
      const what = signature(group);
      if (what === "" || what === "any") return "any";
      if (!known.has(what)) known.set(what, known.size % COLOURS);
      let colour = known.get(what);
      for (let n = 0; n < COLOURS && used.has(colour); n++) colour = (colour + 1) % COLOURS;
      used.add(colour);
      return String(colour);
    });
  }

  // If a value is a constant, that it is also an index adds nothing.
  const links = group => group.links.filter(l => !group.holds.some(h => h.startsWith(l.name + " == ") && /^-?\d+$/.test(h.slice(l.name.length + 4))));

  // Pseudo-random numbers that are the same whenever the same array is drawn.
  function dice(text) {
    let seed = 2166136261;
    for (let n = 0; n < text.length; n++) seed = Math.imul(seed ^ text.charCodeAt(n), 16777619);
    return () => {
      seed = Math.imul(seed ^ (seed >>> 15), 2246822519) + 0x9e3779b9 | 0;
      return ((seed ^ (seed >>> 13)) >>> 0) / 4294967296;
    };
  }

  // The group of each unit of the axis (-1 for none), and whether other groups share the place.
  function place(array, pins, most) {
    const highest = Math.max(-1, ...array.groups.map(g => g.high === null ? -1 : g.high));
    const length = array.length > 0 ? array.length : highest >= 0 ? highest + 1 : 24;
    const units = Math.max(1, Math.min(length, most));
    const scale = units / length;
    const clamp = n => Math.max(0, Math.min(units - 1, n));
    const unit = cell => clamp(Math.floor(cell * scale));
    const spans = array.groups.map(g => {
      const low = g.low === null ? 0 : Math.max(0, g.low), high = g.high === null ? length - 1 : Math.min(length - 1, g.high);
      if (high < low || g.most === 0) return null;
      const from = clamp(scale === 1 ? low : Math.round(low * scale));
      return { from, to: Math.max(from, clamp(scale === 1 ? high : Math.round((high + 1) * scale) - 1)), single: low === high };
    });
    const owner = new Array(units).fill(-1), mixed = new Array(units).fill(false);
    spans.forEach((span, g) => { if (span && span.single) owner[span.from] = g; });
    for (const pin of pins) {
      const at = unit(pin.at);
      const group = pin.groups.find(g => spans[g] && spans[g].from <= at && at <= spans[g].to);
      if (owner[at] < 0 && group !== undefined) owner[at] = group;
    }
    const candidates = u => spans.map((s, g) => s && !s.single && s.from <= u && u <= s.to ? g : -1).filter(g => g >= 0);
    const contested = [];
    for (let u = 0; u < units; u++) {
      const all = candidates(u);
      if (all.length > 1) mixed[u] = true;
      if (owner[u] >= 0) { mixed[u] = mixed[u] || all.length > 0 && all[0] !== owner[u]; continue; }
      if (all.length === 1) owner[u] = all[0];
      if (all.length > 1) contested.push(u);
    }
    const roll = dice(array.name + array.groups.length);
    const wanted = array.groups.map((g, n) => {
      const there = contested.filter(u => candidates(u).includes(n)).length;
      if (g.least !== null && g.most !== null) return Math.max(0.3, (g.least + g.most) / 2 * scale);
      return Math.max(0.3, there / Math.max(1, array.groups.length - 1));
    });
    const shuffled = contested.map(u => [roll(), u]).sort((a, b) => a[0] - b[0]).map(pair => pair[1]);
    // Every group must be visible; those with the least room come first.
    const unseen = spans.map((s, g) => [s ? s.to - s.from : 0, g]).filter(([, g]) => spans[g] && !owner.includes(g));
    for (const [, g] of unseen.sort((a, b) => a[0] - b[0])) {
      const at = shuffled.find(u => owner[u] < 0 && candidates(u).includes(g));
      if (at !== undefined) [owner[at], wanted[g]] = [g, wanted[g] - 1];
    }
    const full = g => array.groups[g].most !== null && owner.filter(o => o === g).length >= Math.max(1, Math.round(array.groups[g].most * scale));
    for (const u of shuffled.filter(u => owner[u] < 0)) {
      const free = candidates(u).filter(g => !full(g)), all = free.length > 0 ? free : candidates(u);
      const weights = all.map(g => Math.max(0.05, wanted[g]));
      let at = roll() * weights.reduce((a, b) => a + b, 0), n = 0;
      while (n < all.length - 1 && at >= weights[n]) at -= weights[n++];
      owner[u] = all[n];
      wanted[all[n]] -= 1;
    }
    return { length, units, scale, owner, mixed, spans, unit };
  }

  // Consecutive units of one group: a bar, or one tile for each unit where groups are mixed.
  function runs(placed) {
    const found = [];
    for (let u = 0; u < placed.units; u++) {
      const last = found[found.length - 1];
      if (last && !last.mixed && !placed.mixed[u] && last.group === placed.owner[u]) last.to = u;
      else found.push({ from: u, to: u, group: placed.owner[u], mixed: placed.mixed[u] });
    }
    return found;
  }

  function pinsOf(state, array) {
    return state.pointers.filter(p => p.array === array && p.at !== null && p.at >= 0);
  }

  function inShort(group) {
    const value = group.holds.map(h => /^value == (.+)$/.exec(h)).find(found => found);
    return value ? value[1] : group.holds.length > 0 ? group.holds.join(", ") : group.links.length > 0 ? "" : "any";
  }

  // Positions are those of the middle of a text. A text that would overlap an earlier one is left
  // out.
  function write(parent, texts, width, y) {
    const taken = [];
    for (const t of texts) {
      const half = t.text.length * 6.7 / 2;
      const x = Math.max(half, Math.min(width - half, t.x));
      if (taken.some(([a, b]) => x - half < b + 5 && a - 5 < x + half)) continue;
      taken.push([x - half, x + half]);
      parent.append(svg("text", { x, y, class: t.kind, "text-anchor": "middle" }, t.text));
      if (t.kind === "tick") parent.append(svg("line", { x1: t.x, x2: t.x, y1: y - 12, y2: y - 9, class: "ticks" }));
    }
  }

  function arrows(picture, array, number, placed, hues, step, top) {
    const middle = u => (u + 0.5) * step;
    const of = g => placed.owner.map((o, u) => o === g ? u : -1).filter(u => u >= 0);
    const cells = array.groups.map((_, g) => of(g));
    const all = [];
    array.groups.forEach((group, g) => links(group).forEach((link, l) => {
      if (link.array !== number || cells[g].length === 0) return;
      link.groups.forEach((to, t) => {
        if (!cells[to] || cells[to].length === 0) return;
        const pick = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
        const start = pick(cells[g], 0.3 + 0.13 * ((l + t) % 4)), end = pick(cells[to], g === to ? 0.9 : 0.55 + 0.1 * (g % 4));
        all.push({ g, to, name: link.name, x: middle(start), end: middle(end), first: t === 0 });
      });
    }));
    // If there are many arrows, they are faint until the reader points at a group.
    const faint = all.length > 8 ? " faint" : "", names = [];
    for (const a of all) {
      const marks = { "data-from": a.g, "data-to": a.to };
      const same = Math.abs(a.x - a.end) < 1, x = same ? a.x - step * 0.3 : a.x, end = same ? a.end + step * 0.3 + 4 : a.end;
      const height = Math.min(ARCS - 8, 14 + Math.abs(end - x) * 0.2), tip = top - 3;
      const control = { x: (x + end) / 2, y: tip - height * 2 + 6 };
      picture.append(svg("path", { d: `M${x} ${top - 1}Q${control.x} ${control.y} ${end} ${tip}`, class: "arrow k" + hues[a.g] + faint, ...marks }));
      const angle = Math.atan2(tip - control.y, end - control.x) * 180 / Math.PI;
      picture.append(svg("path", { d: "M1 0L-7 -3.4L-7 3.4Z", transform: `translate(${end} ${top})rotate(${angle})`, class: "head g" + hues[a.g] + faint, ...marks }));
      if (!a.first || faint) continue;
      // A place along the arrow that no other name occupies.
      const half = a.name.length * 6.7 / 2;
      for (const t of [0.5, 0.32, 0.68, 0.2, 0.8]) {
        const at = { x: (1 - t) ** 2 * x + 2 * t * (1 - t) * control.x + t * t * end, y: ((1 - t) ** 2 + t * t) * tip + 2 * t * (1 - t) * control.y - 4 };
        if (names.some(n => Math.abs(n.x - at.x) < n.half + half + 4 && Math.abs(n.y - at.y) < 12)) continue;
        names.push({ ...at, half });
        picture.append(svg("text", { ...at, class: "arrowname", ...marks }, a.name));
        break;
      }
    }
  }

  // Whether the places of cells are known. They are not if several groups have no bound, for
  // example because time ran out.
  const isPlaced = array => array.groups.length < 2 || array.groups.some(g => g.low !== null || g.high !== null);

  // Draws one array of a state.
  function picture(state, number, width) {
    const array = state.arrays[number], hues = colours(array), pins = pinsOf(state, number);
    const placed = place(array, pins, Math.max(8, Math.floor(width / 5)));
    const step = width / placed.units;
    const linked = array.groups.some(g => links(g).some(l => l.array === number));
    const top = linked ? ARCS : 4;
    const out = svg("svg", { class: "picture", role: "img", "aria-label": `${array.name}: ` + array.groups.map((g, n) => `${letter(n)} ${g.cells} ${inShort(g)}`).join("; ") });
    out.append(svg("rect", { x: 0, y: top, width, height: BAR, rx: 6, class: "bed" }));
    const roll = dice(array.name);
    for (const run of runs(placed)) {
      if (run.group < 0) continue;
      const x = run.from * step, wide = (run.to - run.from + 1) * step, hue = hues[run.group];
      const piece = svg("g", { class: "piece " + (run.mixed ? "speckle" : "bar"), "data-group": run.group });
      piece.append(svg("title", {}, `${letter(run.group)} ${array.groups[run.group].cells} ${inShort(array.groups[run.group])}`));
      const gap = run.mixed ? Math.min(1.6, step * 0.12) : 0.75;
      const shape = { x: x + gap, y: top + gap, width: Math.max(1, wide - 2 * gap), height: BAR - 2 * gap, rx: Math.min(run.mixed ? 3 : 6, wide / 3) };
      if (run.mixed && step > 8 && step < 40) shape.transform = `rotate(${(roll() * 5 - 2.5).toFixed(2)} ${x + wide / 2} ${top + BAR / 2})`;
      piece.append(svg("rect", { ...shape, class: "tilerect g" + hue }));
      piece.append(svg("rect", { ...shape, height: shape.height * 0.3, class: "shine" }));
      if (!run.mixed && step >= 5 && placed.scale === 1) {
        let d = "";
        for (let u = run.from + 1; u <= run.to; u++) d += `M${u * step} ${top + 2}V${top + BAR - 2}`;
        if (d) piece.append(svg("path", { d, class: "seam" }));
      }
      const name = letter(run.group), says = inShort(array.groups[run.group]);
      const fits = [says ? `${name}\u2002${says}` : name, name].find(text => text.length * CHARACTER + 10 < wide);
      if (fits || run.mixed && step >= 11) {
        piece.append(svg("text", { x: x + wide / 2, y: top + BAR / 2 + 1, class: "inbar" + (hue === "any" ? " onany" : "") }, fits || name));
      }
      out.append(piece);
    }
    const texts = [];
    array.groups.forEach((group, g) => {
      const span = placed.spans[g];
      if (!span) return;
      if (group.from) texts.push({ x: (span.from + 0.5) * step, text: group.from, kind: "tick", rank: span.from === 0 ? 0 : 1 });
      if (group.to && group.to !== group.from) texts.push({ x: (span.to + 0.5) * step, text: group.to, kind: "tick", rank: span.to === placed.units - 1 ? 0 : 2 });
    });
    texts.sort((a, b) => a.rank - b.rank || a.text.length - b.text.length || a.x - b.x);
    write(out, texts, width, top + BAR + 15);
    const shown = new Set(array.groups.filter(g => g.from === g.to).map(g => g.from));
    const pinned = pins.filter(p => !shown.has(p.name) && p.at < placed.length).map(p => ({ x: (placed.unit(p.at) + 0.5) * step, text: "▴" + p.name, kind: "pin" }));
    if (pinned.length > 0) write(out, pinned, width, top + BAR + 31);
    if (linked) arrows(out, array, number, placed, hues, step, top);
    const height = top + BAR + (pinned.length > 0 ? 36 : 20);
    out.setAttribute("viewBox", `0 0 ${width} ${height}`);
    out.setAttribute("height", height);
    return { svg: out, hues };
  }

  // Highlights one group of a picture; none for -1.
  function light(picture, group) {
    for (const element of picture.querySelectorAll("[data-group]")) {
      element.classList.toggle("dimmed", group >= 0 && element.dataset.group !== String(group));
    }
    for (const element of picture.querySelectorAll("[data-from]")) {
      element.classList.toggle("dimmed", group >= 0 && element.dataset.from !== String(group));
      element.classList.toggle("lit", element.dataset.from === String(group));
    }
  }

  // Draws a small picture for the margin: the one or two arrays with the most groups.
  function thumbnail(state) {
    const order = state.arrays.map((a, n) => [a.groups.length, n]).filter(([, n]) => isPlaced(state.arrays[n])).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, 2);
    const width = 36, height = order.length > 1 ? 7 : 11;
    const out = svg("svg", { width, height: order.length * (height + 1), "aria-hidden": "true" });
    order.sort((a, b) => a[1] - b[1]).forEach(([, n], row) => {
      const array = state.arrays[n], hues = colours(array), placed = place(array, pinsOf(state, n), 18);
      const step = width / placed.units;
      for (const run of runs(placed)) {
        if (run.group < 0) continue;
        out.append(svg("rect", { x: run.from * step, y: row * (height + 1), width: Math.max(1, (run.to - run.from + 1) * step - 0.5), height, rx: 1, class: "g" + hues[run.group] }));
      }
    });
    return out;
  }

  return { isPlaced, picture, thumbnail, light, letter, colours, links };
})();
