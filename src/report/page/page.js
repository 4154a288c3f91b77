// What the page does: the reader chooses a line, sees its state, and steps through a loop.
(() => {
  const { shared, ...own } = JSON.parse(document.getElementById("data").textContent);
  // The data contains repeated texts once: `~n` stands for an entry of `shared`, `~~` for `~`.
  const table = [];
  function expand(value) {
    if (typeof value === "string") {
      if (value[0] !== "~") return value;
      return value[1] === "~" ? value.slice(1) : table[parseInt(value.slice(1), 36)];
    }
    if (Array.isArray(value)) return value.map(expand);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, expand(part)]));
  }
  for (const entry of shared) table.push(expand(entry));
  const data = expand(own);
  const panel = document.getElementById("panel"), sources = document.getElementById("sources");
  const name = (file, line) => `f${file}l${line}`;
  const lines = new Map(data.lines.map(l => [name(l.file, l.line), l]));
  const verdicts = { proved: "proved", violated: "fails", unknown: "open", unreachable: "unreachable" };

  function make(tag, kind, ...children) {
    const element = document.createElement(tag);
    if (kind) element.className = kind;
    element.append(...children);
    return element;
  }

  // The data omits empty lists.
  for (const line of data.lines) for (const copy of line.copies) copy.iterates ||= [];
  for (const o of data.obligations) for (const step of o.run ? o.run.path : []) {
    step.changes ||= [];
    step.left_out ||= 0;
  }

  const stateOf = n => data.states[n] || { unreachable: false, scalars: [], arrays: [], pointers: [], example: [] };

  // Colours are assigned in the order of the source.
  for (const line of data.lines) for (const copy of line.copies) stateOf(copy.state).arrays.forEach(Draw.colours);

  // What the panel shows now.
  const now = { id: null, copy: 0, step: -1, width: 0 };
  let stage = null;

  function letters(link, state) {
    const target = state.arrays[link.array];
    if (!target) return [];
    const hues = Draw.colours(target);
    return link.groups.filter(g => target.groups[g]).map(g => {
      const badge = make("span", `letter small g${hues[g]}`, Draw.letter(g));
      badge.title = target.groups[g].cells;
      return badge;
    });
  }

  function legend(state, number, picture, hues) {
    const list = make("ul", "groups");
    state.arrays[number].groups.forEach((group, g) => {
      const cells = make("span", "cells", group.cells.replace(/ \(size .*\)$/, ""));
      const many = group.least !== null && group.least === group.most ? String(group.least) : "";
      if (group.size && group.from !== group.to) {
        const size = group.size === many ? many : group.size.replace(/^-([\w.]+)\+(\d+)$/, "$2-$1");
        cells.append(make("span", "size", size === "1" ? "1 cell" : `${size} cells`));
      }
      const holds = make("span", "holds", ...group.holds.map(h => make("span", h === "any" ? "any" : "", h)));
      for (const link of Draw.links(group)) {
        const other = link.array === number ? "" : " of " + (state.arrays[link.array] || { name: "?" }).name;
        holds.append(make("span", "link", make("b", "", link.name), " is an index of ", ...letters(link, state), other));
      }
      if (group.holds.length === 0 && group.links.length === 0) holds.append(make("span", "any", "anything"));
      const row = make("li", "group", make("span", `letter g${hues[g]}`, Draw.letter(g)), cells, holds);
      row.tabIndex = 0;
      const on = () => { Draw.light(picture, g); row.classList.add("lit"); };
      const off = () => { Draw.light(picture, -1); row.classList.remove("lit"); };
      row.addEventListener("mouseenter", on);
      row.addEventListener("mouseleave", off);
      row.addEventListener("focus", on);
      row.addEventListener("blur", off);
      list.append(row);
    });
    return list;
  }

  // Shows a state in an element. Moving the slider fills the element again.
  function show(state, before) {
    stage.replaceChildren();
    if (state.unreachable) {
      stage.append(make("p", "unreached", "No run reaches this line."));
      return;
    }
    if (state.scalars.length > 0) {
      const was = new Set(before ? before.scalars : state.scalars);
      stage.append(make("div", "formulas", ...state.scalars.map(f => make("code", was.has(f) ? "formula" : "formula new", f))));
    }
    const width = Math.max(160, stage.clientWidth);
    now.width = width;
    const arrays = make("div", "arrays");
    state.arrays.forEach((array, n) => {
      const drawn = Draw.picture(state, n, width), placed = Draw.isPlaced(array);
      const plural = array.groups.length === 1 ? "group" : "groups";
      const title = make("h3", "", array.name, make("small", "", `${array.groups.length} ${plural} of cells`));
      const view = placed ? drawn.svg : make("p", "hint", "The places of its groups are not known: time ran out, or the domain does not say.");
      arrays.append(make("div", "array", title, view, legend(state, n, drawn.svg, drawn.hues)));
    });
    stage.append(arrays);
    const count = (n, what) => n > 0 ? [`${n} more ${what}${n === 1 ? "" : "s"}`] : [];
    const more = [...count(state.more_arrays, "array"), ...count(state.more_scalars, "scalar")];
    if (more.length > 0) stage.append(make("p", "hint", `The state also describes ${more.join(" and ")} that the line does not mention.`));
    else if (state.scalars.length === 0 && state.arrays.length === 0) stage.append(make("p", "hint", "Nothing is known here."));
    if (state.arrays.length > 0) {
      const values = state.example.map(([v, n]) => `${v} = ${n}`).join(", ");
      const shared = "Where groups lie mixed, the places of their cells are only an example.";
      stage.append(make("p", "example", (values ? `Drawn for ${values}. ` : "") + shared));
    }
  }

  function slider(copy) {
    const steps = copy.iterates.concat([{ step: "the loop invariant", state: copy.state }]);
    const box = make("div", "slider"), input = make("input", ""), output = make("output", "");
    input.type = "range";
    input.id = "iterate";
    input.min = 0;
    input.max = steps.length - 1;
    input.value = now.step < 0 ? steps.length - 1 : Math.min(now.step, steps.length - 1);
    const label = make("label", "", "How the fixpoint got here", output);
    label.htmlFor = input.id;
    const move = () => {
      const at = Number(input.value);
      now.step = at === steps.length - 1 ? -1 : at;
      output.textContent = `${at + 1} of ${steps.length}: ${steps[at].step}`;
      input.setAttribute("aria-valuetext", output.textContent);
      show(stateOf(steps[at].state), at > 0 ? stateOf(steps[at - 1].state) : null);
    };
    input.addEventListener("input", move);
    box.append(label, input);
    return { box, move };
  }

  function inputsOf(run) {
    const inputs = run.inputs.map(i => make("li", "", make("code", "", `${i.target} = ${i.value}`), " ", make("span", "place", i.place)));
    return make("details", "", make("summary", "", "inputs of the failing run"), make("ol", "inputs", ...inputs));
  }

  // A failing run, statement by statement: marks the line in the source, and the value that has
  // just changed.
  function walk(run) {
    const box = make("div", "walk"), input = make("input", ""), output = make("output", ""), values = make("div", "formulas");
    const last = run.path.length - 1;
    input.type = "range";
    input.id = "walk";
    input.min = 0;
    input.max = last;
    input.value = last;
    const label = make("label", "", "The failing run", output);
    label.htmlFor = input.id;
    const button = (text, title, by) => {
      const made = make("button", "", text);
      made.type = "button";
      made.title = title;
      made.addEventListener("click", () => { input.value = Number(input.value) + by; move(); });
      return made;
    };
    function move() {
      const at = Number(input.value), now = new Map();
      for (let n = 0; n < at; n++) for (const [what, value] of run.path[n].changes) now.set(what, value);
      const changed = new Set(at > 0 ? run.path[at - 1].changes.map(c => c[0]) : []);
      const skipped = at > 0 && run.path[at - 1].left_out > 0 ? `, after ${run.path[at - 1].left_out} steps that are left out` : "";
      const inside = run.path[at].function ? ` in ${run.path[at].function}` : "";
      output.textContent = `${at + 1} of ${last + 1}: ${at === last ? "fails at" : "at"} line ${run.path[at].line}${inside}${skipped}`;
      input.setAttribute("aria-valuetext", output.textContent);
      values.replaceChildren(...[...now].map(([what, value]) => make("code", changed.has(what) ? "formula new" : "formula", `${what} = ${value}`)));
      if (now.size === 0) values.append(make("span", "hint", "Nothing has a value yet."));
      document.querySelectorAll(".row.stepped").forEach(row => row.classList.remove("stepped"));
      const row = document.getElementById(name(run.path[at].file, run.path[at].line));
      if (row) row.classList.add("stepped");
      return row;
    }
    input.addEventListener("input", () => { const row = move(); if (row) bring(row); });
    box.append(label, make("div", "steps", button("◂", "one statement back", -1), input, button("▸", "one statement on", 1)), values, inputsOf(run));
    move();
    return box;
  }

  function findings(file, line) {
    return data.obligations.filter(o => o.file === file && o.line === line).map(o => {
      const found = make("div", "finding", make("span", `badge ${o.verdict}`, verdicts[o.verdict] || ""), make("code", "", o.condition));
      if (o.verdict !== "unknown" || o.reasons.length === 0) found.append(make("span", "why", `${o.id}, ${o.verdict === "unknown" ? "last tried by" : "decided by"} ${o.stage} in ${o.time_ms} ms${o.detail ? ": " + o.detail : ""}`));
      const left = o.reasons.map(([stage, why]) => make("li", "", make("b", "", stage), " ", why));
      if (left.length > 0) {
        const open = o.verdict === "unknown";
        const tried = make("details", "tried", make("summary", "", open ? `${o.id}: why each stage left it open` : "why earlier stages left it open"), make("ul", "", ...left));
        tried.open = open;
        found.append(tried);
      }
      if (o.run) found.append(o.run.path.length > 0 ? walk(o.run) : inputsOf(o.run));
      return found;
    });
  }

  function render() {
    const row = document.getElementById(now.id), line = lines.get(now.id);
    if (!row || !line) return;
    const copy = line.copies[Math.min(now.copy, line.copies.length - 1)];
    const where = line.is_loop ? "each time the loop’s condition is about to be tested" : "after this line";
    const file = data.sources.length > 1 ? ` of ${data.sources[line.file]}` : "";
    const handle = make("button", "handle", "▾ fold");
    handle.type = "button";
    handle.addEventListener("click", () => {
      const folded = panel.classList.toggle("folded");
      handle.textContent = folded ? "▴ unfold" : "▾ fold";
    });
    if (panel.classList.contains("folded")) handle.textContent = "▴ unfold";
    const title = make("h2", "", `Line ${line.line}${file} `, make("span", "where", where));
    panel.replaceChildren(handle, title, make("p", "said", row.querySelector("code").textContent.trim()), ...findings(line.file, line.line));
    if (line.copies.length > 1) {
      const buttons = line.copies.map((_, n) => {
        const button = make("button", "", `call ${n + 1}`);
        button.type = "button";
        button.setAttribute("aria-pressed", String(n === now.copy));
        button.addEventListener("click", () => { now.copy = n; now.step = -1; render(); });
        return button;
      });
      panel.append(make("div", "copies", ...buttons, line.more > 0 ? ` and ${line.more} more` : ""));
    }
    stage = make("div", "stage");
    if (line.is_loop && copy.iterates.length > 0) {
      const { box, move } = slider(copy);
      panel.append(box, stage);
      move();
    } else {
      panel.append(stage);
      show(stateOf(copy.state), null);
    }
    const computed = [...document.querySelectorAll("#computed .point")].filter(point => point.dataset.at === now.id);
    panel.append(...computed.map(point => point.cloneNode(true)));
  }

  function choose(id, scroll) {
    const row = document.getElementById(id);
    if (!row || !lines.has(id)) return false;
    const old = document.getElementById(now.id);
    if (old) {
      old.classList.remove("chosen");
      old.querySelector(".number").tabIndex = -1;
    }
    Object.assign(now, { id, copy: 0, step: -1 });
    row.classList.add("chosen");
    row.querySelector(".number").tabIndex = 0;
    panel.scrollTop = 0;
    document.querySelectorAll(".row.stepped").forEach(stepped => stepped.classList.remove("stepped"));
    render();
    if (scroll) bring(row);
    return true;
  }

  // Scrolls only the source, if it has a scroll bar of its own.
  function bring(row) {
    const room = sources.clientHeight;
    if (sources.scrollHeight > room + 2) {
      const at = row.offsetTop - sources.offsetTop;
      if (at < sources.scrollTop || at > sources.scrollTop + room - 60) sources.scrollTop = at - room / 3;
    }
  }

  sources.addEventListener("click", event => {
    const row = event.target.closest(".row.known");
    if (!row || String(getSelection())) return;
    event.preventDefault();
    history.replaceState(null, "", "#at-" + row.id);
    choose(row.id, false);
  });
  sources.addEventListener("keydown", event => {
    const row = event.target.closest(".row.known");
    if (!row) return;
    const all = [...sources.querySelectorAll(".row.known")], at = all.indexOf(row);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    const next = all[to];
    if (!next) return;
    event.preventDefault();
    choose(next.id, true);
    next.querySelector(".number").focus();
  });
  // `#at-f0l9` names a line, as `#f0l9` does, but does not scroll the page to it.
  const asked = () => location.hash.slice(1).replace(/^at-/, "");
  addEventListener("hashchange", () => choose(asked(), true));
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  new ResizeObserver(() => {
    if (stage && Math.abs(stage.clientWidth - now.width) > 1 && stage.clientWidth > 0) render();
  }).observe(panel);

  // Draws the small pictures in the margin when their lines come into view.
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      const line = lines.get(entry.target.id);
      const state = line && line.copies[0] ? stateOf(line.copies[0].state) : null;
      if (state && !state.unreachable && state.arrays.length > 0) entry.target.querySelector(".strip").prepend(Draw.thumbnail(state));
    }
  });
  sources.querySelectorAll(".row.known").forEach(row => seen.observe(row));

  // The line to show first: the one in the link; else one that fails; else one whose arrays have
  // several groups.
  function first() {
    const failing = data.obligations.find(o => o.verdict === "violated") || null;
    if (failing && lines.has(name(failing.file, failing.line))) return name(failing.file, failing.line);
    let best = null, most = -1;
    for (const line of data.lines) {
      for (const copy of line.copies) {
        const state = stateOf(copy.state);
        const groups = Math.max(0, ...state.arrays.map(a => a.groups.length));
        // More than four groups are too many for a first impression.
        const score = 2 * Math.min(groups, 4) - Math.max(0, groups - 4) + (line.is_loop ? 1 : 0);
        if (score > most) [best, most] = [name(line.file, line.line), score];
      }
    }
    return best;
  }
  if (!choose(asked(), true)) {
    const id = first();
    if (id === null || !choose(id, true)) panel.append(make("p", "hint", "No states are known."));
  }
})();
