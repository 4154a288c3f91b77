//! Expressions, conditions, and what the bodies of loops do.

use super::{Array, MOST, Maker};

impl Maker {
    /// An expression over an index.
    pub(super) fn expression(&mut self, i: &str) -> String {
        let (a, b) = (self.pick_array().at(i), self.pick_array().at(i));
        let (c, d, x) = (self.small(), self.small(), self.pick_scalar());
        let k = 2 + self.random.below(3);
        match self.random.below(26) {
            0..=3 => c.to_string(),
            4 | 5 => i.to_owned(),
            6 => format!("{c} * {i} + {d}"),
            7..=9 => a,
            10 => format!("{a} + {c}"),
            11 => format!("{a} + {b}"),
            12 => x,
            13 => "__VERIFIER_nondet_int()".to_owned(),
            14 => format!("{i} * {i}"),
            15 => format!("({i} + {c}) % {k}"),
            16 => format!("{i} / {k}"),
            17 => {
                let condition = self.condition(i);
                format!("({condition} ? {a} : {d})")
            }
            18 => format!("({a} & {k})"),
            19 => format!("-{a}"),
            20 => format!("{a} - {b}"),
            21 => format!("{a} % {k}"),
            22 => format!("({} ^ {i})", a),
            23 if self.calls => format!("twice({i})"),
            24 if self.calls => {
                let n = self.n.clone();
                match self.random.below(3) {
                    0 => format!("find({a} & 15, {n})"),
                    1 => format!("row({x} & 7, {n})"),
                    _ => format!("least({a}, {i})"),
                }
            }
            _ => format!("{x} + {i}"),
        }
    }

    /// A condition over an index.
    pub(super) fn condition(&mut self, i: &str) -> String {
        let (a, b) = (self.pick_array().at(i), self.pick_array().at(i));
        let (c, x) = (self.small(), self.pick_scalar());
        let relation = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let k = 2 + self.random.below(2);
        match self.random.below(14) {
            0..=3 => format!("{a} {relation} {c}"),
            4 => format!("{i} % {k} == {}", self.random.below(2)),
            5 => format!("{i} {relation} {}", self.random.below(4)),
            6 => format!("{a} {relation} {b}"),
            7 => format!("{a} {relation} {x}"),
            8 => format!("{x} {relation} {c}"),
            9 => "__VERIFIER_nondet_int()".to_owned(),
            10 => {
                let (p, q) = (self.condition(i), self.condition(i));
                format!("({p}) {} ({q})", self.random.pick(&["&&", "||"]))
            }
            11 => {
                let p = self.condition(i);
                format!("!({p})")
            }
            _ => format!("{a} {relation} {i}"),
        }
    }

    /// `s` is one more if the condition holds.
    fn count(&mut self, s: &str, p: &str) -> String {
        match self.random.below(7) {
            0 => format!("{s} += ({p}) != 0;"),
            1 => format!("{s} = ({p}) ? {s} + 1 : {s};"),
            2 => format!("{s} += ({p}) ? 1 : 0;"),
            3 => format!("if (!({p})) {{ }} else ++{s};"),
            4 => format!("{s} = {s} + !!({p});"),
            5 => format!("if ({p}) {s} = {s} + 1;"),
            _ => format!("if ({p}) {s}++;"),
        }
    }

    /// A statement over an index. `repeated` says that it stands in a loop.
    pub(super) fn statement(&mut self, i: &str, repeated: bool) -> String {
        match self.random.below(if repeated { 24 } else { 12 }) {
            0..=3 => self.scalar_statement(i),
            4 => {
                let (s, p) = (self.pick_scalar(), self.condition(i));
                self.count(&s, &p)
            }
            5 | 6 => self.extreme(i),
            7 => {
                let (p, q) = (self.statement(i, repeated), self.statement(i, repeated));
                let condition = self.condition(i);
                match self.random.below(2) {
                    0 => format!("if ({condition}) {{ {p} }}"),
                    _ => format!("if ({condition}) {{ {p} }} else {{ {q} }}"),
                }
            }
            8 => {
                let (t, e) = (self.name("z"), self.expression(i));
                let (x, cell) = (self.pick_scalar(), self.pick_array().at(i));
                let used = match self.random.below(2) {
                    0 => format!("{x} += {t};"),
                    _ => format!("{cell} = {t} + 1;"),
                };
                format!("int {t} = {e};\n{used}")
            }
            9 => {
                let (x, y) = (self.pick_scalar(), self.pick_scalar());
                format!("{{ int w = {x}; {x} = {y}; {y} = w; }}")
            }
            10..=18 => self.write(i),
            19 | 20 => self.compaction(i),
            21 => self.scattered(i),
            _ => self.flag(i),
        }
    }

    fn scalar_statement(&mut self, i: &str) -> String {
        let (s, e, p) = (self.pick_scalar(), self.expression(i), self.condition(i));
        let c = self.small();
        match self.random.below(18) {
            0 | 1 => format!("{s} += {e};"),
            2 => format!("{s} = {s} + {e};"),
            3 => format!("{s} -= {e};"),
            4 | 5 => format!("if ({p}) {s} += {e};"),
            6 => format!("{s} = {} * {s} + {e};", self.random.pick(&[2, 2, 3, -1])),
            7 => format!("{s} ^= {e};"),
            8 => format!("{s} |= {e};"),
            9 => format!("{s} = {c} - {s};"),
            10 => format!("{s} = {e};"),
            11 => format!("if ({p}) {s} = {e};"),
            12 => format!("{s} = ({s} + {}) % {};", 1 + self.random.below(3), 2 + self.random.below(4)),
            13 => format!("if ({p}) {s}++; else {s}--;"),
            14 => format!("if ({p}) {s} = {c}; else {s} += {e};"),
            15 => format!("{s}++; if ({s} == {}) {s} = 0;", 2 + self.random.below(4)),
            16 => format!("{s} &= {e};"),
            _ => format!("{s} += {c};"),
        }
    }

    fn extreme(&mut self, i: &str) -> String {
        let (m, a, x) = (self.pick_scalar(), self.pick_array().at(i), self.pick_scalar());
        let (relation, p) = (*self.random.pick(&["<", ">", "<=", ">="]), self.condition(i));
        match self.random.below(8) {
            5 => format!("if ({p}) {m} = {a} {relation} {m} ? {a} : {m};"),
            6 => format!("if ({p}) {{ if ({a} {relation} {m}) {m} = {a}; }}"),
            0 => format!("{m} = {a} {relation} {m} ? {a} : {m};"),
            1 => format!("if ({a} {relation} {m}) {{ {m} = {a}; {x} = {i}; }}"),
            2 => format!("if ({p} && {a} {relation} {m}) {m} = {a};"),
            3 => format!("if ({i} == 0 || {a} {relation} {m}) {{ {m} = {a}; {x} = {i}; }}"),
            _ => format!("if ({a} {relation} {m}) {m} = {a};"),
        }
    }

    fn flag(&mut self, i: &str) -> String {
        let (p, x) = (self.condition(i), if self.random.one_in(2) { "f".to_owned() } else { self.pick_scalar() });
        match self.random.below(6) {
            0 => format!("{x} = {x} || ({p});"),
            1 => format!("{x} = {x} && ({p});"),
            2 => format!("{x} |= ({p}) != 0;"),
            3 => format!("if ({p}) {x} = 0;"),
            4 => format!("{x} = !{x};"),
            _ => format!("if ({p}) {x} = 1;"),
        }
    }

    /// A write to cells that the index names.
    fn write(&mut self, i: &str) -> String {
        let (array, other) = (self.pick_array(), self.pick_array());
        let (e, d, p) = (self.expression(i), self.expression(i), self.condition(i));
        let n = self.n.clone();
        let (here, next) = (array.at(i), array.at(&format!("{i} + 1")));
        let mirror = format!("(int){n} - 1 - (int)({i})");
        match self.random.below(28) {
            20..=26 => self.write_through_pointer(&array, i),
            0..=3 => format!("{here} = {e};"),
            4 | 5 => format!("if ({p}) {here} = {e};"),
            6 => format!("if ({p}) {here} = {e}; else {here} = {d};"),
            7 => format!("{here} += {e};"),
            8 => format!("{here} = {here} * 2;"),
            9 => format!("{next} = {e};"),
            10 => format!("{here} = {e};\n{next} = {d};"),
            11 => format!("if ({mirror} >= 0) {} = {e};", array.at(&mirror)),
            12 => format!("{} = {e};", array.at(&format!("2 * ({i})"))),
            13 => format!("if ({mirror} >= 0) {} = {};", array.at(&mirror), other.at(i)),
            14 => format!("{next} = {here} + {e};"),
            15 => format!("if ({i} > 0) {here} = {} + {e};", array.at(&format!("{i} - 1"))),
            16 => {
                let there = other.at(i);
                format!("{{ int w = {here}; {here} = {there}; {there} = w; }}")
            }
            17 => format!("{here} = {next};"),
            18 => format!("{here} = {};", other.at(&format!("{i} + 1"))),
            _ => format!("{here} = {};", other.at(i)),
        }
    }

    /// A write through a pointer that is made for it, or that walks along an array.
    fn write_through_pointer(&mut self, array: &Array, i: &str) -> String {
        let (e, p, x) = (self.expression(i), self.condition(i), self.name("p"));
        let Array { name, ty, .. } = array;
        let (here, next) = (array.at(i), array.at(&format!("{i} + 1")));
        match self.random.below(6) {
            0 => format!("{{ {ty} *{x} = &{here}; *{x} = {e}; }}"),
            1 => format!("{{ {ty} *{x} = &{here}; *{x} += {e}; }}"),
            2 => format!("{{ {ty} *{x}; if ({p}) {x} = &{here}; else {x} = &{next}; *{x} = {e}; }}"),
            3 if array.has_name() => format!("{{ {ty} *{x} = {name} + {i}; {x}[1] = {e}; }}"),
            4 if array.has_name() => format!("{{ {ty} *{x} = {name}; {x} += {i}; *{x} = {e}; }}"),
            _ => match self.walk.clone() {
                Some(along) => format!("if (walk - {along} < {MOST}) {{ *walk = {e}; walk++; }}"),
                None => format!("*&{here} = {e};"),
            },
        }
    }

    fn compaction(&mut self, i: &str) -> String {
        let (array, e, p) = (self.pick_array(), self.expression(i), self.condition(i));
        let cell = array.at("j");
        match self.random.below(4) {
            0 => format!("if ({p}) {{ {cell} = {e}; j++; }}"),
            1 => format!("{cell} = {e};\nif ({p}) j++;"),
            2 => format!("if ({p}) {cell} = {e};\nj++;"),
            _ => format!("if ({p}) {} = {e};", array.at("j++")),
        }
    }

    /// A write at an index that is computed otherwise.
    fn scattered(&mut self, i: &str) -> String {
        let (array, from) = (self.pick_array(), self.pick_array().at(i));
        let (e, k) = (self.expression(i), self.random.below(4));
        let index = match self.random.below(4) {
            0 => format!("{from} & 3"),
            1 => format!("({i}) % 3"),
            2 => format!("({i}) / 2"),
            _ => k.to_string(),
        };
        let cell = array.at(&index);
        match self.random.below(3) {
            0 => format!("{cell}++;"),
            1 => format!("{cell} += {e};"),
            _ => format!("{cell} = {e};"),
        }
    }
}
