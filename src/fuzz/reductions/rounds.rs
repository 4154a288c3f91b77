//! Steps with scalars that each iteration passes to the next, and whose values depend on the number
//! of the iteration.

use super::{Maker, Range};
use std::fmt::Write as _;

impl Maker {
    /// A loop that counts up.
    fn counted_up(&mut self, range: Range, body: &[String]) {
        let Range { first, less, step } = range;
        let (first, less) = (self.number(first), self.number(less));
        let relation = self.relation("<");
        let (n, ty) = (self.n.clone(), self.counter);
        let high = if less == "0" { n } else { format!("{n} - {less}") };
        let body: String = body.iter().map(|line| format!("    {line}\n")).collect();
        let _ = writeln!(self.text, "  for ({ty} i = {first}; i {relation} {high}; i += {step}) {{\n{body}  }}");
    }

    /// Writes such scalars to the cells of an array.
    pub(super) fn rounds(&mut self) {
        let (a, range) = (self.array(), self.range());
        if self.random.one_in(5) {
            return self.second_counter(a, range);
        }
        let element = self.arrays[a].element;
        let ty = *self.random.pick(&["int", "int", "unsigned", "short", "unsigned char", "long"]);
        let k = if self.random.one_in(4) { 101 } else { 2 + self.random.below(4) as i64 };
        let c = if self.random.one_in(3) { 1 + self.random.below(200) as i64 } else { self.random.below(4) as i64 };
        let c = match self.random.below(8) {
            0 => -c,
            // Below all remainders.
            1 => -k - self.random.below(4) as i64,
            _ => c,
        };
        let first = if self.random.one_in(3) { "__VERIFIER_nondet_int()".to_owned() } else { self.number(c) };
        let x = self.scalar(ty, &first);
        let was = self.scalar(ty, &x);
        // The number of the iteration that writes a cell, and the value of the scalar in it.
        let m = format!("((int)(@ - {}) / {})", range.first, range.step);
        let as_element = |e: String| format!("({element})({ty})({e})");
        let d = 1 + self.random.below(3) as i64;
        let (change, value) = match self.random.below(8) {
            0 => (format!("{x} = {x} + {};", self.number(d)), as_element(format!("{was} + <{d}> * {m}"))),
            1 | 2 => {
                let c = *self.random.pick(&[2, 3, -2, 4, 1 << 14]);
                let known =
                    format!("{m} == 0 ? {was} : {m} == 1 ? ({ty})({was} * <{c}>) : ({ty})({was} * <{c}>) * <{c}>");
                (format!("{x} = {x} * {};", self.number(c)), as_element(known))
            }
            3 => (format!("{x} = !{x};"), as_element(format!("{m} == 0 ? {was} : {m} % 2 ? !{was} : !!{was}"))),
            4 => {
                let (change, other) = match self.random.below(3) {
                    0 => (format!("{x} = {} - {x};", self.number(d)), format!("<{d}> - {was}")),
                    1 => (format!("{x} = -{x};"), format!("-{was}")),
                    _ => (format!("{x} = {x} ^ {};", self.number(d)), format!("{was} ^ <{d}>")),
                };
                (change, as_element(format!("{m} % 2 ? {other} : {was}")))
            }
            5 => {
                let change = format!("{x} = ({x} + {}) % {};", self.number(d), self.number(k));
                (change, as_element(format!("{m} == 0 ? {was} : ({was} % <{k}> + <{d}> * {m}) % <{k}>")))
            }
            6 => {
                let (top, zero) = (self.number(k), self.number(0));
                let change = format!("{x}++; if ({x} == {top}) {x} = {zero};");
                (change, as_element(format!("<{k}> > {was} ? ({was} + {m}) % <{k}> : {was} + {m}")))
            }
            _ => {
                let (y, z) = (self.number(d), self.number(k));
                let (y, z) = (self.scalar(ty, &y), self.scalar(ty, &z));
                let t = self.scalar(ty, "0");
                if self.random.one_in(2) {
                    let change = format!("{t} = {x}; {x} = {y}; {y} = {z}; {z} = {t};");
                    (change, as_element(format!("{m} % 3 == 0 ? {was} : {m} % 3 == 1 ? <{d}> : <{k}>")))
                } else {
                    let change = format!("{x} = {y}; {y} = {z}; {z} = {x};");
                    (change, as_element(format!("{m} == 0 ? {was} : {m} % 2 ? <{d}> : <{k}>")))
                }
            }
        };
        // Sometimes an iteration leaves the scalar unchanged, so its value does not follow from the
        // number of the iteration.
        let change = if self.random.one_in(10) { format!("if (i != 1) {{ {change} }}") } else { change };
        let write = format!("{} = {x};", self.cell(a));
        let lines = if self.random.one_in(6) { [change, write] } else { [write, change] };
        self.counted_up(range, &lines);
        self.writes(a);
        self.know(format!("{{0}} ~==~ {value}"), &[a], &[], range);
        if self.random.one_in(4) {
            let n = self.n.clone();
            self.know_of_scalars(format!("{n} != <{}> || {x} == {was}", range.first + range.less), &[&x]);
        }
    }

    /// An index beside the counter.
    fn second_counter(&mut self, a: usize, range: Range) {
        let c = self.small(a);
        let first = self.number(range.first);
        let j = self.scalar("int", &first);
        let (value, step) = (self.number(c), self.number(range.step));
        let cell = self.cell_at(a, &j, 0);
        self.counted_up(range, &[format!("{cell} = {value};"), format!("{j} += {step};")]);
        self.writes(a);
        self.know(format!("{{0}} ~==~ <{c}>"), &[a], &[], range);
    }
}
