//! Chooses assertions from the known facts, and the code between loops.

use super::Maker;
use std::fmt::Write as _;

impl Maker {
    /// Code between loops that keeps all known facts true.
    pub(super) fn between(&mut self) {
        let a = self.array();
        let k = self.random.below(3);
        let cell = self.cell_at(a, &k.to_string(), 0);
        let x = self.scalar("int", "__VERIFIER_nondet_int()");
        let c = self.number(k as i64);
        let n = self.n.clone();
        let text = match self.random.below(3) {
            0 => format!("if ({x} > {c}) {x} = {c};"),
            1 => format!("if ({n} > {k} && {x} < {cell}) {x} = {cell};"),
            _ => format!("__VERIFIER_assume({x} >= {c});"),
        };
        let _ = writeln!(self.text, "  {text}");
        let fact = match text.as_bytes().first() {
            Some(b'_') => format!("{x} ~>=~ <{k}>"),
            _ if text.contains(&format!("{x} = {c};")) => format!("{x} ~<=~ <{k}>"),
            _ => return,
        };
        self.know_of_scalars(fact, &[&x]);
    }

    /// The assertion.
    pub(super) fn property(&mut self) {
        if self.facts.is_empty() {
            self.fill();
        }
        let late = self.facts.len().saturating_sub(4);
        let chosen = if self.random.one_in(3) {
            self.random.below(self.facts.len())
        } else {
            late + self.random.below(self.facts.len() - late)
        };
        let fact = self.facts[chosen].clone();
        let second = self.facts[self.random.below(self.facts.len())].clone();
        let Some(range) = fact.range else {
            let mut text = self.instance(&fact, "i", 0);
            if second.range.is_none() && self.random.one_in(4) {
                let other = self.instance(&second, "i", 0);
                text = format!("({text}) && ({other})");
            }
            let _ = writeln!(self.text, "  __VERIFIER_assert({text});");
            return;
        };
        let n = self.n.clone();
        match self.random.below(8) {
            // One cell.
            0 => {
                let k = range.first + range.step * self.random.below(3) as i64;
                let text = self.instance(&fact, &k.to_string(), 0);
                let bound = self.number(k + range.less);
                let _ = writeln!(self.text, "  if ({n} > {bound}) {{ __VERIFIER_assert({text}); }}");
            }
            6 | 7 if range.step == 1 => {
                let k = self.scalar(self.counter, "__VERIFIER_nondet_int()");
                let (first, less) = (self.number(range.first), self.number(range.less));
                let _ = writeln!(self.text, "  __VERIFIER_assume({k} >= {first} && {k} < {n} - {less});");
                let text = self.instance(&fact, &k, 0);
                let _ = writeln!(self.text, "  __VERIFIER_assert({text});");
            }
            _ => {
                let mut text = self.instance(&fact, "i", 0);
                if self.random.one_in(6) && second.range.is_none_or(|r| r == range) {
                    let other = self.instance(&second, "i", 0);
                    text = format!("({text}) && ({other})");
                }
                let mut range = range;
                if self.random.one_in(4) {
                    range.first += range.step;
                }
                if self.random.one_in(4) {
                    range.less += 1;
                }
                self.looped(range, &[format!("__VERIFIER_assert({text});")], None);
            }
        }
    }
}
