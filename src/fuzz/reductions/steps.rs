//! The steps that programs are made of, with the facts that hold after them.

use super::{Fact, Maker, Range, Target};
use std::fmt::Write as _;

impl Maker {
    /// Removes the facts that a write of an array makes false.
    pub(super) fn writes(&mut self, a: usize) {
        self.facts.retain(|f| !f.arrays.contains(&a));
    }

    pub(super) fn know(&mut self, text: impl Into<String>, arrays: &[usize], scalars: &[&str], range: Range) {
        let scalars = scalars.iter().map(|s| (*s).to_owned()).collect();
        self.facts.push(Fact { text: text.into(), arrays: arrays.to_vec(), scalars, range: Some(range) });
    }

    pub(super) fn know_of_scalars(&mut self, text: impl Into<String>, scalars: &[&str]) {
        let scalars = scalars.iter().map(|s| (*s).to_owned()).collect();
        self.facts.push(Fact { text: text.into(), arrays: Vec::new(), scalars, range: None });
    }

    /// The facts about single cells of an array, whatever their index.
    fn of_cells(&self, a: usize) -> Vec<Fact> {
        let about = |f: &&Fact| f.arrays == [a] && f.scalars.is_empty() && !f.text.contains('@');
        self.facts.iter().filter(about).cloned().collect()
    }

    /// One step.
    pub(super) fn step(&mut self) {
        let shrinks = self.target != Target::Prune;
        if self.target == Target::Accelerate && !self.random.one_in(4) {
            return self.rounds();
        }
        match self.random.below(if shrinks { 23 } else { 22 }) {
            0 | 1 => self.fill(),
            2 => self.clamp(),
            3 => self.copy(),
            4 | 5 => self.branches(),
            6 | 7 => self.extremum(),
            8 => self.two_extrema(),
            9 => self.second(),
            10 => self.two_sums(),
            11 => self.found(),
            12 => self.shift(),
            13 => self.exchange(),
            14 => self.by_counter(),
            15 => self.least_of_two(),
            16 => self.last_value(),
            17 => self.edge(),
            // This is mostly outside the fragment of pruning.
            18 if shrinks || self.random.one_in(4) => self.overflow(),
            18 => self.clamp(),
            19 => self.assumed(),
            20 => self.indices(),
            21 => self.skipped(),
            _ => self.search(),
        }
    }

    pub(super) fn fill(&mut self) {
        let (a, range) = (self.array(), self.range());
        let c = self.small(a);
        let value = match self.random.below(4) {
            0 => {
                let x = self.scalar("int", "__VERIFIER_nondet_int()");
                let limit = self.number(c);
                let _ = writeln!(self.text, "  __VERIFIER_assume({x} >= {limit} && {x} <= {c} + 4);");
                x
            }
            _ => self.number(c),
        };
        let line = format!("{} = {value};", self.cell(a));
        self.looped(range, &[line], None);
        self.writes(a);
        if value.starts_with('x') {
            self.know(format!("{{0}} ~==~ {value}"), &[a], &[&value], range);
            self.know(format!("{{0}} ~>=~ <{c}>"), &[a], &[], range);
        } else {
            self.know(format!("{{0}} ~==~ <{c}>"), &[a], &[], range);
        }
    }

    /// Inputs, brought into a range.
    fn clamp(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let (low, width) = (self.small(a), 1 + self.random.below(4) as i64);
        let cell = self.cell(a);
        let mut lines = Vec::new();
        if self.random.one_in(2) {
            lines.push(format!("{cell} = __VERIFIER_nondet_int();"));
        }
        let (less, from) = (self.relation("<"), self.number(low));
        lines.push(format!("if ({cell} {less} {from}) {cell} = {low};"));
        let both = self.random.one_in(2);
        if both {
            let (more, to) = (self.relation(">"), self.number(low + width));
            lines.push(format!("if ({cell} {more} {to}) {cell} = {};", low + width));
        }
        self.looped(range, &lines, None);
        self.writes(a);
        self.know(format!("{{0}} ~>=~ <{low}>"), &[a], &[], range);
        if both {
            self.know(format!("{{0}} ~<=~ <{}>", low + width), &[a], &[], range);
        }
    }

    fn copy(&mut self) {
        let a = self.array();
        let Some(b) = self.partner(a) else { return self.fill() };
        let range = self.same_range();
        let (from, to) = (self.cell(a), self.cell(b));
        let known = self.of_cells(a);
        let c = self.random.below(4) as i64;
        match self.random.below(3) {
            0 => {
                let c = self.number(c);
                self.looped(range, &[format!("{to} = {from} + {c};")], None);
            }
            1 => {
                let mask = self.number(3);
                self.looped(range, &[format!("{to} = {from} & {mask};")], None);
                self.writes(b);
                self.know("{0} ~>=~ <0> && {0} ~<=~ <3>", &[b], &[], range);
                return;
            }
            _ => {
                self.looped(range, &[format!("{to} = {from};")], None);
                self.writes(b);
                self.know("{1} ~==~ {0}", &[a, b], &[], range);
                for fact in known.into_iter().filter(|f| f.range == Some(range)) {
                    self.facts.push(Fact { arrays: vec![b], ..fact });
                }
                return;
            }
        }
        self.writes(b);
        self.know(format!("{{1}} ~==~ {{0}} + <{c}>"), &[a, b], &[], range);
    }

    /// Nested conditions on one cell decide about another.
    fn branches(&mut self) {
        let a = self.array();
        let b = self.partner(a).unwrap_or(a);
        let range = self.same_range();
        let (c, cell, target) = (self.small(a), self.cell(a), self.cell(b));
        let (more, limit) = (self.relation(">"), self.number(c));
        let (more_again, next) = (self.relation(">"), self.number(c + 2));
        let lines = match self.random.below(3) {
            0 => vec![format!("if ({cell} {more} {limit}) {target} = 1; else {target} = 0;")],
            1 => vec![
                format!("if ({cell} {more} {limit}) {{"),
                format!("  if ({cell} {more_again} {next}) {target} = 2;"),
                format!("  else {target} = 1;"),
                format!("}} else {target} = 0;"),
            ],
            _ => vec![format!("{target} = {cell} {more} {limit} ? 2 : {cell} {more_again} {next} ? 1 : 0;")],
        };
        self.looped(range, &lines, None);
        self.writes(b);
        self.know("{0} ~>=~ <0> && {0} ~<=~ <2>", &[b], &[], range);
        if a != b && lines.len() == 1 {
            self.know(format!("({{0}} ~>~ <{c}>) == ({{1}} ~>~ <0>)"), &[a, b], &[], range);
        } else if a != b {
            self.know(format!("{{0}} ~>~ <{c}> || {{1}} ~==~ <0>"), &[a, b], &[], range);
            self.know(format!("{{0}} ~<=~ <{}> || {{1}} ~==~ <2>", c + 2), &[a, b], &[], range);
        }
    }

    fn extremum(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let element = self.arrays[a].element;
        let c = self.small(a);
        let first = self.number(range.first);
        let value = match self.random.below(3) {
            0 => self.number(c),
            1 => "__VERIFIER_nondet_int()".to_owned(),
            _ => self.cell_at(a, &first, 0),
        };
        let starts_inside = value.contains('[');
        let m = self.scalar(element, &value);
        let (op, fact) = if self.random.one_in(2) { (">", "~<=~") } else { ("<", "~>=~") };
        let (relation, cell) = (self.relation(op), self.cell(a));
        let offset = if self.target != Target::Prune && self.random.one_in(10) { " - 1" } else { "" };
        let line = if self.random.one_in(4) {
            format!("{m} = {cell} {relation} {m} ? {m} : {cell};")
        } else {
            format!("if ({m} {relation} {cell}{offset}) {m} = {cell};")
        };
        let begin =
            if starts_inside && range.step == 1 && self.random.one_in(3) { range.first + 1 } else { range.first };
        self.looped(Range { first: begin, ..range }, &[line], None);
        self.know(format!("{m} {fact} {{0}}"), &[a], &[&m], range);
        if value == c.to_string() {
            self.know_of_scalars(format!("{m} {fact} <{c}>"), &[&m]);
        }
    }

    /// The extremum of an array and of its copy.
    fn two_extrema(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let element = self.arrays[a].element;
        let c = self.small(a);
        let mut names = Vec::new();
        let mut from = a;
        for turn in 0..2 {
            let value = self.number(c);
            let m = self.scalar(element, &value);
            let (relation, cell) = (self.relation(">"), self.cell(from));
            self.looped(range, &[format!("if ({m} {relation} {cell}) {m} = {cell};")], None);
            names.push(m);
            if turn == 0
                && let Some(b) = self.partner(a)
            {
                let line = format!("{} = {};", self.cell(b), self.cell(a));
                self.looped(range, &[line], None);
                self.writes(b);
                from = b;
            }
        }
        let (m, other) = (&names[0], &names[1]);
        self.know_of_scalars(format!("{m} ~==~ {other}"), &[m, other]);
        self.know_of_scalars(format!("{m} ~<=~ <{c}>"), &[m]);
        self.know(format!("{m} ~<=~ {{0}}"), &[a], &[m], range);
    }

    fn second(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let element = self.arrays[a].element;
        let c = self.small(a);
        let (low, high) = (self.number(c), self.number(c + 1));
        let (x, y) = (self.scalar(element, &low), self.scalar(element, &high));
        let (p, q, r, cell) = (self.relation(">"), self.relation(">"), self.relation("<"), self.cell(a));
        let lines = [
            format!("if ({x} {p} {cell}) {{ {y} = {x}; {x} = {cell}; }}"),
            format!("if ({y} {q} {cell}) if ({x} {r} {cell}) {y} = {cell};"),
        ];
        self.looped(range, &lines, None);
        self.know_of_scalars(format!("{x} ~<~ {y}"), &[&x, &y]);
        self.know(format!("{x} ~<=~ {{0}}"), &[a], &[&x], range);
        self.know(format!("{x} ~==~ {{0}} || {y} ~<=~ {{0}}"), &[a], &[&x, &y], range);
    }

    /// The same sum twice, or in two parts.
    fn two_sums(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let element = self.arrays[a].element;
        let cell = self.cell(a);
        let wide = if self.random.one_in(3) { "unsigned" } else { element };
        let times = self.number(1 + self.random.clone().below(2) as i64);
        let (value, other) = (self.number(0), self.number(0));
        let s = self.scalar(wide, &value);
        self.looped(range, &[format!("{s} = {s} + {cell} * {times};")], None);
        let t = self.scalar(wide, &other);
        let begin = if self.random.one_in(3) && range.step == 1 {
            let first = self.cell_at(a, &range.first.to_string(), 0);
            let bound = range.first + range.less;
            let n = self.n.clone();
            let _ = writeln!(self.text, "  if ({n} > {bound}) {t} = {first} * {times};");
            range.first + 1
        } else {
            range.first
        };
        let times = self.number(times.parse().unwrap_or(1));
        let line = if self.random.one_in(2) {
            format!("{t} = {t} + {cell} * {times};")
        } else {
            format!("{t} = {cell} * {times} + {t};")
        };
        self.looped(Range { first: begin, ..range }, &[line], None);
        self.know_of_scalars(format!("{s} ~==~ {t}"), &[&s, &t]);
    }

    /// Whether some cell has a value.
    fn found(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let c = self.small(a);
        let zero = self.number(0);
        let found = self.scalar("int", &zero);
        let (same, value, cell) = (self.relation("=="), self.number(c), self.cell(a));
        let line = match self.random.below(3) {
            0 => format!("{found} = {found} || {cell} {same} {value};"),
            _ => format!("if ({cell} {same} {value}) {found} = 1;"),
        };
        self.looped(range, &[line], None);
        self.know(format!("{found} ~==~ <1> || {{0}} ~!=~ <{c}>"), &[a], &[&found], range);
        self.know_of_scalars(format!("{found} ~>=~ <0> && {found} ~<=~ <1>"), &[&found]);
    }

    /// Each cell gets the value of the next one.
    fn shift(&mut self) {
        let a = self.array();
        let known = self.of_cells(a).into_iter().filter(|f| f.range.is_some_and(|r| r.step == 1));
        let known: Vec<Fact> = known.collect();
        let source = known.first().and_then(|f| f.range).unwrap_or(Range { first: 0, less: 0, step: 1 });
        let b = if self.random.one_in(2) { a } else { self.partner(a).unwrap_or(a) };
        let (range, offset) = if self.random.one_in(3) && (b != a || self.down) {
            (Range { first: source.first + 1, ..source }, -1)
        } else if a == b && self.down {
            return self.fill();
        } else {
            (Range { less: source.less + 1, ..source }, 1)
        };
        let line = format!("{} = {};", self.cell(b), self.cell_at(a, "i", offset));
        self.looped(range, &[line], None);
        self.writes(b);
        for fact in known.into_iter().filter(|f| f.range == Some(source)) {
            self.facts.push(Fact { arrays: vec![b], range: Some(range), ..fact });
        }
        if a != b {
            let text = format!("{} ~==~ {{0}}", self.cell_at(a, "@", offset));
            self.know(text, &[b, a], &[], range);
        }
    }

    fn exchange(&mut self) {
        let a = self.array();
        let Some(b) = self.partner(a) else { return self.clamp() };
        let range = self.same_range();
        let (x, y, ty) = (self.cell(a), self.cell(b), self.arrays[a].element);
        let (mine, theirs) = (self.of_cells(a), self.of_cells(b));
        let moved = |all: Vec<Fact>, to: usize| {
            let all = all.into_iter().filter(|f| f.range == Some(range));
            all.map(|f| Fact { arrays: vec![to], ..f }).collect::<Vec<_>>()
        };
        let (mine, theirs) = (moved(mine, b), moved(theirs, a));
        if self.random.one_in(2) {
            let lines = [format!("{ty} t = {x};"), format!("{x} = {y};"), format!("{y} = t;")];
            self.looped(range, &lines, None);
            self.writes(a);
            self.writes(b);
            self.facts.extend(mine);
            self.facts.extend(theirs);
        } else {
            // In order.
            let more = self.relation(">");
            let lines = [format!("if ({x} {more} {y}) {{ {ty} t = {x}; {x} = {y}; {y} = t; }}")];
            self.looped(range, &lines, None);
            self.writes(a);
            self.writes(b);
            self.know("{0} ~<=~ {1}", &[a, b], &[], range);
        }
    }

    /// A step that depends on the remainder of the counter, or on the comparison of the counter
    /// with a constant.
    fn by_counter(&mut self) {
        let (a, range) = (self.array(), self.range());
        let (c, d, cell) = (self.small(a), self.small(a), self.cell(a));
        let (one, two) = (self.number(c), self.number(d));
        let (condition, fact) = if self.random.one_in(2) {
            let (m, rest) = (2 + self.random.below(2) as i64, self.number(1));
            (format!("i % {m} == {rest}"), format!("@ % {m} == <1>"))
        } else {
            let k = self.random.below(5) as i64;
            let (less, at) = (self.relation("<"), self.number(k));
            (format!("i {less} {at}"), format!("@ ~<~ <{k}>"))
        };
        self.looped(range, &[format!("if ({condition}) {cell} = {one}; else {cell} = {two};")], None);
        self.writes(a);
        self.know(format!("{{0}} ~==~ <{c}> || {{0}} ~==~ <{d}>"), &[a], &[], range);
        self.know(format!("({fact} ? {{0}} ~==~ <{c}> : {{0}} ~==~ <{d}>)"), &[a], &[], range);
    }

    fn least_of_two(&mut self) {
        let a = self.array();
        let Some(b) = self.partner(a) else { return self.branches() };
        let range = self.same_range();
        let (x, y) = (self.cell(a), self.cell(b));
        let less = self.relation("<");
        let third =
            (0..self.arrays.len()).find(|&c| c != a && c != b && self.arrays[c].element == self.arrays[a].element);
        let to = third.unwrap_or(b);
        let line = format!("{} = {x} {less} {y} ? {x} : {y};", self.cell(to));
        self.looped(range, &[line], None);
        self.writes(to);
        self.know("{1} ~<=~ {0}", &[a, to], &[], range);
        if to != b {
            self.know("{1} ~==~ {0} || {1} ~==~ {2}", &[a, to, b], &[], range);
        }
    }

    /// A scalar that keeps the last value of a cell. If the loop does not run, it keeps nothing.
    fn last_value(&mut self) {
        let a = self.array();
        let known = self.of_cells(a);
        let range = known.first().and_then(|f| f.range).unwrap_or(Range { first: 0, less: 0, step: self.step });
        let value = self.number(-9);
        let x = self.scalar(self.arrays[a].element, &value);
        let line = format!("{x} = {};", self.cell(a));
        self.looped(range, &[line], None);
        let n = self.n.clone();
        for fact in known.into_iter().filter(|f| f.range == Some(range)) {
            let text = fact.text.replace("{0}", &x);
            self.know_of_scalars(format!("{n} ~<=~ <{}> || ({text})", range.first + range.less), &[&x]);
        }
        if !self.arrays[a].element.starts_with('u') {
            let guard = format!("{n} ~>~ <{}>", range.first + range.less);
            self.know_of_scalars(format!("{guard} || {x} ~==~ <-9>"), &[&x]);
        }
    }

    /// A step that differs only for a few numbers of iterations.
    fn edge(&mut self) {
        let range = self.range();
        let zero = self.number(0);
        let e = self.scalar("int", &zero);
        let (n, c) = (self.n.clone(), range.first + self.random.below(4) as i64);
        let (line, at) = if self.random.one_in(2) {
            (format!("{e} = 1;"), range.first)
        } else {
            let same = self.relation("==");
            let at = self.number(c);
            (format!("if (i {same} {at}) {e} = 1;"), c)
        };
        self.looped(range, &[line], None);
        let bound = at + range.less;
        self.know_of_scalars(format!("{n} ~<=~ <{bound}> || {e} ~==~ <1>"), &[&e]);
        self.know_of_scalars(format!("{n} ~>~ <{bound}> || {e} ~==~ <0>"), &[&e]);
    }

    /// A sum that overflows or reaches a number only in runs of a certain length, or only in a
    /// certain order.
    fn overflow(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let (cell, c) = (self.cell(a), 1 + self.random.below(4) as i64);
        let top = self.number(c);
        match self.random.below(3) {
            0 => {
                let (narrow, limit) = *self.random.pick(&[("signed char", 127), ("short", 32767)]);
                let begin = limit - c * self.random.below(6) as i64;
                let begin = self.number(begin);
                let s = self.scalar(narrow, &begin);
                self.looped(range, &[format!("if ({cell} > 0) {s} = {s} + {top};")], None);
                self.know_of_scalars(format!("{s} ~>=~ <0> || {s} ~<~ <-99>"), &[&s]);
            }
            1 => {
                let begin = 2_147_483_647 - c * self.random.below(4) as i64;
                let begin = self.number(begin);
                let s = self.scalar("int", &begin);
                self.looped(range, &[format!("if ({cell} & 1) {s} = {s} + {top}; else {s} = {s} - {top};")], None);
                self.know_of_scalars(format!("{s} ~>=~ <-2147483647>"), &[&s]);
            }
            _ => {
                let zero = self.number(0);
                let s = self.scalar("int", &zero);
                let limit = c * self.most;
                self.looped(range, &[format!("if ({cell} > 0) {s} = {s} + {top};")], None);
                self.know_of_scalars(format!("{s} ~<=~ <{limit}>"), &[&s]);
                self.know_of_scalars(format!("{s} ~>=~ <0>"), &[&s]);
            }
        }
    }

    /// A loop that ends when it has found something.
    fn search(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let c = self.small(a);
        let zero = self.number(0);
        let found = self.scalar("int", &zero);
        let (same, value, cell) = (self.relation("=="), self.number(c), self.cell(a));
        match self.random.below(3) {
            0 => self.looped(range, &[format!("if ({cell} {same} {value}) {{ {found} = 1; break; }}")], None),
            1 => {
                let also = format!("!{found}");
                self.looped(range, &[format!("if ({cell} {same} {value}) {found} = 1;")], Some(&also));
            }
            _ => self.looped(range, &[format!("if ({cell} {same} {value}) return 0;")], None),
        }
        self.know(format!("{found} ~==~ <1> || {{0}} ~!=~ <{c}>"), &[a], &[&found], range);
        self.know_of_scalars(format!("{found} ~>=~ <0> && {found} ~<=~ <1>"), &[&found]);
    }

    fn assumed(&mut self) {
        let (a, range) = (self.array(), self.same_range());
        let (c, cell) = (self.small(a), self.cell(a));
        let (least, limit) = (self.relation(">="), self.number(c));
        let line = format!("__VERIFIER_assume({cell} {least} {limit});");
        self.looped(range, &[line], None);
        self.know(format!("{{0}} ~>=~ <{c}>"), &[a], &[], range);
    }

    /// Cells whose values depend on their index.
    fn indices(&mut self) {
        let (a, range) = (self.array(), self.range());
        let (k, c, cell) = (1 + self.random.below(3) as i64, self.random.below(4) as i64, self.cell(a));
        let (times, added) = (self.number(k), self.number(c));
        self.looped(range, &[format!("{cell} = i * {times} + {added};")], None);
        self.writes(a);
        self.know(format!("{{0}} ~==~ @ * <{k}> + <{c}>"), &[a], &[], range);
        self.know(format!("{{0}} ~>=~ <{c}>"), &[a], &[], range);
    }

    /// Iterations that skip the rest of the body, for one of two reasons.
    fn skipped(&mut self) {
        let a = self.array();
        let b = self.partner(a).unwrap_or(a);
        let range = self.same_range();
        let (c, cell, target) = (self.small(a), self.cell(a), self.cell(b));
        let (less, low, more, high) = (self.relation("<"), self.number(c), self.relation(">"), self.number(c + 3));
        let mut lines = vec![format!("if ({cell} {less} {low}) continue;")];
        if self.random.one_in(2) {
            lines.push(format!("if ({cell} {more} {high}) continue;"));
        }
        let value = self.number(c);
        lines.push(format!("{target} = {value};"));
        let both = lines.len() == 3;
        self.looped(range, &lines, None);
        self.writes(b);
        if a == b {
            let above = if both { format!(" || {{0}} ~>~ <{}>", c + 3) } else { String::new() };
            self.know(format!("{{0}} ~<=~ <{c}>{above}"), &[a], &[], range);
        } else {
            let above = if both { format!(" || {{0}} ~>~ <{}>", c + 3) } else { String::new() };
            self.know(format!("{{0}} ~<~ <{c}>{above} || {{1}} ~==~ <{c}>"), &[a, b], &[], range);
        }
    }
}
