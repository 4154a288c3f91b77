//! Terms in the notation of mathematics.
//!
//! `sum of a[k] for 0 <= k < N`, `number of k in 0..n-1 with a[k] > 0`, `2*k + 2`. The text does
//! not depend on the order in which terms were made, as long as names differ. Phrases with words
//! stand in parentheses unless they are the whole text, so each text has one reading. `div` and
//! `mod` are rounded towards minus infinity; `^` is a power, `xor` the bitwise operation;
//! `uint8(x)` and `int8(x)` are values wrapped to a type.

use crate::context::Context;
use crate::facts::Facts;
use crate::name::{Int, Term};
use crate::node::{BitOp, FoldOp, Node, WrapType};
use crate::poly::{Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// How tightly a text holds together; a part with a looser text than its place stands in
/// parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grip {
    Phrase,
    Or,
    And,
    Comparison,
    Bits,
    Sum,
    Product,
    Power,
    Atom,
}

type Text = (String, Grip);

/// A text in a place that needs at least the grip.
fn held(text: Text, at_least: Grip) -> String {
    if text.1 >= at_least { text.0 } else { format!("({})", text.0) }
}

impl Context {
    /// The term as text.
    pub fn show(&self, t: Term) -> String {
        Facts::new(self).show(t)
    }

    /// The names of the variables and symbols that occur in a term.
    pub fn names_in(&self, t: Term) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.each_part(t, &mut |part, _| {
            names.extend(match *self.node(part) {
                Node::Var(v) => Some(self.variable_name(v)),
                Node::Apply(s, _) => Some(self.symbol_name(s)),
                _ => None,
            });
            true
        });
        names
    }

    /// The cases of an integer term: conditions that exclude each other, one of which holds, with
    /// the value in each. At most `limit` of them; the last values may have conditions of their
    /// own.
    pub fn cases(&self, t: Term, limit: usize) -> Vec<(Term, Term)> {
        let mut cases = vec![(self.truth(true), t)];
        // Values are chains of conditions; what is written otherwise comes last.
        while cases.len() < limit
            && let Some(two) = cases.last().and_then(|last| self.split(*last))
        {
            cases.pop();
            cases.extend(two);
        }
        let mut at = 0;
        while at < cases.len() && cases.len() < limit {
            match self.split(cases[at]) {
                Some(two) => _ = cases.splice(at..=at, two),
                None => at += 1,
            }
        }
        cases
    }

    /// The cases in which the first condition of a value holds and does not, if it has one and
    /// there is work left to take it out.
    fn split(&self, (given, value): (Term, Term)) -> Option<Vec<(Term, Term)>> {
        let condition = self.poly_atoms(value).into_iter().find_map(|a| match *self.node(a) {
            Node::Ite(p, ..) => Some(p),
            _ => None,
        })?;
        let otherwise = self.cofactor(value, self.not(condition));
        let case = |p: Term, value: Term| (self.and(&[given, p]), value);
        let two = [case(condition, self.cofactor(value, condition)), case(self.not(condition), otherwise)];
        let possible = |case: &(Term, Term)| self.as_truth(case.0) != Some(false);
        (otherwise != value).then(|| two.into_iter().filter(possible).collect())
    }
}

impl Facts<'_> {
    /// The term as text where the facts hold: without conditions that go without saying.
    pub fn show(&self, t: Term) -> String {
        Writer { c: self.c, facts: self, names: self.c.names_in(t), bound: Vec::new(), left: 20_000 }.text(t).0
    }
}

/// Names for indexes, in the order in which the text uses them: `k`, `l`, ..., endlessly many.
pub fn index_names() -> impl Iterator<Item = String> {
    let letters = ["k", "l", "i", "j", "m", "n"].map(str::to_owned).into_iter();
    letters.chain((1..).map(|i| format!("k{i}")))
}

struct Writer<'a> {
    c: &'a Context,
    facts: &'a Facts<'a>,
    names: BTreeSet<String>,
    /// The names of the bound variables, the innermost last.
    bound: Vec<String>,
    /// The number of nodes that are still written.
    left: u32,
}

impl Writer<'_> {
    /// A name for one more bound variable.
    fn bind(&mut self) -> String {
        let name = index_names().find(|n| !self.names.contains(n) && !self.bound.contains(n));
        let name = name.expect("there are endless names");
        self.bound.push(name.clone());
        name
    }

    fn text(&mut self, t: Term) -> Text {
        if self.left == 0 {
            return ("...".into(), Grip::Atom);
        }
        self.left -= 1;
        let c = self.c;
        let node = c.node(t);
        match &*node {
            Node::Poly(p) => self.poly(p),
            Node::Var(v) => (c.variable_name(*v), Grip::Atom),
            Node::Bound(i) => {
                let at = self.bound.len().checked_sub(*i as usize + 1);
                (at.map_or_else(|| format!("#{i}"), |at| self.bound[at].clone()), Grip::Atom)
            }
            Node::Apply(s, ts) if ts.is_empty() => (c.symbol_name(*s), Grip::Atom),
            Node::Apply(s, ts) => (format!("{}({})", c.symbol_name(*s), self.list(ts)), Grip::Atom),
            Node::Power(base, e) => self.power(base, *e),
            Node::Div(a, b) => {
                let (a, b) = (self.part(*a, Grip::Power), self.part(*b, Grip::Power));
                (format!("{a} div {b}"), Grip::Product)
            }
            Node::Ite(p, a, b) => {
                let (p, a, b) = (self.part(*p, Grip::Or), self.part(*a, Grip::Or), self.part(*b, Grip::Or));
                (format!("if {p} then {a} else {b}"), Grip::Phrase)
            }
            Node::Max(ts) => (format!("max({})", self.operands(ts)), Grip::Atom),
            Node::Min(ts) => (format!("min({})", self.operands(ts)), Grip::Atom),
            Node::Read(a, index) => {
                let mut text = self.part(*a, Grip::Atom);
                for &i in index {
                    text += &format!("[{}]", self.text(i).0);
                }
                (text, Grip::Atom)
            }
            Node::Fold { op, lo, hi, seed, body } => self.fold(*op, *lo, *hi, *seed, *body),
            Node::First(lo, hi, p) => self.search("first", *lo, *hi, *p, Some(*hi)),
            Node::Last(lo, hi, p) => self.search("last", *lo, *hi, *p, Some(c.sub(*lo, c.int(1)))),
            Node::Nth(n, lo, hi, p) => {
                let exists = c.loose(t) == 0 && {
                    let count = c.count(*lo, *hi, |k| c.open(*p, k));
                    self.facts.proves(c.within(c.int(0), *n, count))
                };
                let n = self.part(*n, Grip::Atom);
                self.search(&format!("{n}-th (from 0)"), *lo, *hi, *p, (!exists).then_some(*hi))
            }
            Node::Wrap(WrapType { signed, bits }, t) => {
                let name = if *signed { "int" } else { "uint" };
                (format!("{name}{bits}({})", self.text(*t).0), Grip::Atom)
            }
            Node::Bits(op, ts) => {
                let op = match op {
                    BitOp::And => " & ",
                    BitOp::Or => " | ",
                    BitOp::Xor => " xor ",
                };
                (self.parts(ts, Grip::Sum, op), Grip::Bits)
            }
            Node::Truth(b) => (b.to_string(), Grip::Atom),
            Node::NonNegative(t) => self.inequality(&c.poly(*t)),
            Node::Zero(t) => self.equation(&c.poly(*t), "="),
            Node::Divides(m, t) => self.residue(m, &c.poly(*t), "="),
            Node::Not(p) => self.negation(*p),
            Node::And(ps) => (self.conjunction(ps), Grip::And),
            Node::Or(ps) => (self.parts(ps, Grip::And, " or "), Grip::Or),
            Node::Lambda(rank, body) => {
                let names: Vec<String> = (0..*rank).map(|_| self.bind()).collect();
                let body = self.text(*body).0;
                self.bound.truncate(self.bound.len() - names.len());
                (format!("lambda {}. {body}", names.join(" ")), Grip::Phrase)
            }
        }
    }

    fn part(&mut self, t: Term, at_least: Grip) -> String {
        held(self.text(t), at_least)
    }

    fn list(&mut self, ts: &[Term]) -> String {
        let all: Vec<String> = ts.iter().map(|&t| self.part(t, Grip::Or)).collect();
        all.join(", ")
    }

    /// The operands of `max` or `min`: constants first, then by their texts.
    fn operands(&mut self, ts: &[Term]) -> String {
        let mut all: Vec<(bool, String)> =
            ts.iter().map(|&t| (self.c.as_int(t).is_none(), self.part(t, Grip::Or))).collect();
        all.sort();
        all.into_iter().map(|t| t.1).collect::<Vec<_>>().join(", ")
    }

    /// Operands of a commutative operation, by their texts.
    fn parts(&mut self, ts: &[Term], at_least: Grip, by: &str) -> String {
        let mut all: Vec<String> = ts.iter().map(|&t| self.part(t, at_least)).collect();
        all.sort();
        all.join(by)
    }

    fn power(&mut self, base: &Int, exponent: Term) -> Text {
        let base = if base.is_negative() { format!("({base})") } else { base.to_string() };
        let known = self.c.loose(exponent) == 0 && self.facts.proves(self.c.ge(exponent, self.c.int(0)));
        let exponent =
            if known { self.part(exponent, Grip::Atom) } else { format!("max(0, {})", self.text(exponent).0) };
        (format!("{base}^{exponent}"), Grip::Power)
    }

    /// A polynomial, with `x mod c` in the place of `x - c*(x div c)`.
    fn poly(&mut self, p: &Poly) -> Text {
        if let Some(c) = p.as_constant() {
            let grip = if c.is_negative() || !c.is_integer() { Grip::Sum } else { Grip::Atom };
            return (c.to_string(), grip);
        }
        let p = &self.united_sums(p);
        if let Some(atom) = p.as_atom() {
            return self.text(atom);
        }
        let denominator = p.denominator();
        let whole = p.scale(&Rat::from_integer(denominator.clone()));
        let (whole, remainders) = self.remainders(whole);
        let mut all: Vec<(u32, String, Rat)> = Vec::new();
        for (m, f) in whole.terms() {
            let mut factors: Vec<String> = Vec::new();
            for &(t, e) in m {
                let tight = if e > 1 { Grip::Atom } else { Grip::Power };
                let text = self.part(t, tight);
                factors.push(if e > 1 { format!("{text}^{e}") } else { text });
            }
            factors.sort();
            let degree = m.iter().map(|f| f.1).sum();
            all.push((degree, factors.join("*"), f.clone()));
        }
        all.extend(remainders.into_iter().map(|(text, f)| (1, text, f)));
        all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        // A sum does not begin with a minus if it need not.
        if let Some(first) = all.iter().position(|t| t.2.is_positive()) {
            let first = all.remove(first);
            all.insert(0, first);
        }
        let mut text = String::new();
        for (i, (_, monomial, f)) in all.iter().enumerate() {
            text += match (i, f.is_negative()) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            let size = f.abs();
            text += &match (monomial.is_empty(), size.is_one()) {
                (true, _) => size.to_string(),
                (false, true) => monomial.clone(),
                (false, false) => format!("{size}*{monomial}"),
            };
        }
        let alone = all.len() == 1;
        let grip = match (alone, all[0].2.is_one() && !all[0].1.contains('*') && !all[0].1.contains(" div ")) {
            (true, true) if all[0].1.contains(" mod ") => Grip::Product,
            (true, true) => Grip::Power,
            (true, false) if all[0].2.is_positive() => Grip::Product,
            _ => Grip::Sum,
        };
        if denominator.is_one() {
            return (text, grip);
        }
        (format!("{}/{denominator}", held((text, grip), Grip::Product)), Grip::Product)
    }

    /// The polynomial with sums over one range as one sum.
    fn united_sums(&self, p: &Poly) -> Poly {
        let mut groups: BTreeMap<(Term, Term), Vec<(Term, Term, Rat)>> = BTreeMap::new();
        for (m, k) in p.terms() {
            let [(atom, 1)] = m[..] else { continue };
            if let Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } = *self.c.node(atom) {
                groups.entry((lo, hi)).or_default().push((atom, body, k.clone()));
            }
        }
        let mut p = p.clone();
        for ((lo, hi), sums) in groups.into_iter().filter(|g| g.1.len() > 1) {
            let body = sums.iter().fold(Poly::default(), |all, s| all.add_scaled(&self.c.poly(s.1), &s.2));
            if !body.denominator().is_one() {
                continue;
            }
            // The sign of the first one stays outside.
            let sign = if body.is_non_positive() { -Rat::one() } else { Rat::one() };
            let body = self.c.from_poly(body.scale(&sign));
            let one = self.c.intern(Node::Fold { op: FoldOp::Sum, lo, hi, seed: None, body });
            p = sums.iter().fold(p, |p, s| p.add_scaled(&Poly::atom(s.0), &-s.2.clone()));
            p = p.add_scaled(&Poly::atom(one), &sign);
        }
        p
    }

    /// The polynomial without the remainders `x mod c` that it contains, and these.
    fn remainders(&mut self, mut p: Poly) -> (Poly, Vec<(String, Rat)>) {
        let mut found = Vec::new();
        let candidates: Vec<(Term, Rat)> = p
            .terms()
            .iter()
            .filter_map(|(m, f)| match m[..] {
                [(t, 1)] => Some((t, f.clone())),
                _ => None,
            })
            .collect();
        for (atom, f) in candidates {
            let Node::Div(x, c) = *self.c.node(atom) else { continue };
            let Some(modulus) = self.c.as_int(c).filter(Signed::is_positive) else { continue };
            let factor = -&f / Rat::from_integer(modulus.clone());
            let without = p.add_scaled(&Poly::atom(atom), &-f.clone());
            let rest = without.add_scaled(&self.c.poly(x), &-factor.clone());
            if factor.is_integer() && rest.terms().len() < without.terms().len() {
                let x = self.part(x, Grip::Power);
                found.push((format!("{x} mod {modulus}"), factor));
                p = rest;
                continue;
            }
            let (inside, factor, outside) = shortest_quotient(&self.c.poly(x), &modulus, &f, &without);
            let rest = without.add(&outside);
            // Only a number is left: it goes inside, too.
            let whole = factor.is_one() && found.is_empty();
            let number = rest.as_constant().filter(|c| c.is_integer() && whole);
            let (inside, rest) = match number {
                Some(n) => (inside.add(&Poly::constant(n * Rat::from_integer(modulus.clone()))), Poly::default()),
                None => (inside, rest),
            };
            found.push((format!("{} div {modulus}", held(self.poly(&inside), Grip::Power)), factor));
            p = rest;
        }
        let one = found.len() == 1 && p.terms().is_empty() && found[0].1.is_one();
        if !one {
            found.iter_mut().for_each(|f| f.0 = format!("({})", f.0));
        }
        (p, found)
    }

    /// `lo <= name < hi`.
    fn range(&mut self, lo: Term, name: &str, hi: Term) -> String {
        let (lo, hi) = (self.part(lo, Grip::Bits), self.part(hi, Grip::Bits));
        format!("{lo} <= {name} < {hi}")
    }

    /// `name in lo..hi-1`.
    fn among(&mut self, name: &str, lo: Term, hi: Term) -> String {
        let last = self.c.poly(hi).sub(&Poly::int(1));
        let (lo, last) = (self.part(lo, Grip::Bits), held(self.poly(&last), Grip::Bits));
        let tight = |text: String| text.replace(" + ", "+").replace(" - ", "-");
        format!("{name} in {}..{}", tight(lo), tight(last))
    }

    fn fold(&mut self, op: FoldOp, lo: Term, hi: Term, seed: Option<Term>, body: Term) -> Text {
        // The bounds do not know the variable.
        let seed = seed.map(|s| self.part(s, Grip::Bits));
        let name = self.bind();
        self.bound.pop();
        let (range, among) = (self.range(lo, &name, hi), self.among(&name, lo, hi));
        self.bound.push(name);
        let condition = match (op, &*self.c.node(body)) {
            (FoldOp::Sum, Node::Ite(p, a, b)) if self.c.as_int(*b).is_some_and(|b| b.is_zero()) => Some((*p, *a)),
            _ => None,
        };
        let text = match (op, condition) {
            (FoldOp::All, _) => format!("{} for all {among}", self.part(body, Grip::Or)),
            (FoldOp::Any, _) => format!("{} for some {among}", self.part(body, Grip::Or)),
            (_, Some((p, a))) if self.c.as_int(a).is_some_and(|a| a.is_one()) => {
                format!("number of {among} with {}", self.part(p, Grip::Or))
            }
            (_, Some((p, a))) => {
                let body = self.part(a, Grip::Bits);
                format!("sum of {body} for {range} with {}", self.part(p, Grip::Or))
            }
            _ => {
                let name = match op {
                    FoldOp::Product => "product",
                    FoldOp::BitAnd => "bitwise and",
                    FoldOp::BitOr => "bitwise or",
                    FoldOp::BitXor => "bitwise xor",
                    FoldOp::Max => "maximum",
                    FoldOp::Min => "minimum",
                    _ => "sum",
                };
                let seed = seed.map_or(String::new(), |s| format!("{s} and of "));
                format!("{name} of {seed}{} for {range}", self.part(body, Grip::Bits))
            }
        };
        self.bound.pop();
        (text, Grip::Phrase)
    }

    /// A search; `none` is its value without a result, left out where there is one.
    fn search(&mut self, which: &str, lo: Term, hi: Term, p: Term, none: Option<Term>) -> Text {
        let name = self.bind();
        self.bound.pop();
        let among = self.among(&name, lo, hi);
        let otherwise = none.map_or(String::new(), |none| format!(", else {}", self.part(none, Grip::Bits)));
        self.bound.push(name);
        let p = self.part(p, Grip::And);
        self.bound.pop();
        (format!("{which} {among} with {p}{otherwise}"), Grip::Phrase)
    }

    /// Both sides of `p <relation> 0` with positive coefficients, and the constant apart.
    fn sides(&self, p: &Poly) -> (Poly, Poly, Rat) {
        let part = |positive: bool| {
            let keep = |c: &Rat| if c.is_positive() == positive { c.abs() } else { Rat::zero() };
            p.without_constant().map_coefficients(keep)
        };
        (part(true), part(false), p.constant_part())
    }

    /// Whether the polynomial is what an inequality is about: it has a bound variable or a cell.
    fn is_subject(&self, p: &Poly) -> bool {
        p.atoms().iter().any(|&t| self.c.loose(t) > 0 || matches!(&*self.c.node(t), Node::Read(..) | Node::Var(_)))
    }

    fn relation(&mut self, a: &Poly, relation: &str, b: &Poly) -> Text {
        let (a, b) = (held(self.poly(a), Grip::Bits), held(self.poly(b), Grip::Bits));
        (format!("{a} {relation} {b}"), Grip::Comparison)
    }

    fn inequality(&mut self, p: &Poly) -> Text {
        let (greater, lesser, constant) = self.sides(p);
        let strict = constant == -Rat::one();
        let number = Poly::constant(constant.clone());
        if lesser.terms().is_empty() {
            return if strict {
                self.relation(&greater, ">", &Poly::default())
            } else {
                self.relation(&greater, ">=", &Poly::default().sub(&number))
            };
        }
        if greater.terms().is_empty() {
            return self.relation(&lesser, "<=", &number);
        }
        match (self.is_subject(&greater) && !self.is_subject(&lesser), strict) {
            (true, true) => self.relation(&greater, ">", &lesser),
            (true, false) => self.relation(&greater, ">=", &lesser.sub(&number)),
            (false, true) => self.relation(&lesser, "<", &greater),
            (false, false) if constant.is_negative() && !self.is_subject(&lesser) => {
                self.relation(&lesser.sub(&number), "<=", &greater)
            }
            (false, false) => self.relation(&lesser, "<=", &greater.add(&number)),
        }
    }

    fn equation(&mut self, p: &Poly, relation: &str) -> Text {
        let (mut left, mut right, constant) = self.sides(p);
        if left.terms().is_empty() || (self.is_subject(&right) && !self.is_subject(&left)) {
            std::mem::swap(&mut left, &mut right);
            right = right.add(&Poly::constant(constant));
        } else {
            right = right.sub(&Poly::constant(constant));
        }
        let (one, other) = (self.relation(&left, relation, &right), self.relation(&right, relation, &left));
        // Of two names, the first in the alphabet.
        let fixed = self.is_subject(p) || right.as_constant().is_some();
        if fixed || one.0 <= other.0 { one } else { other }
    }

    /// `p mod c = r`.
    fn residue(&mut self, modulus: &Int, p: &Poly, relation: &str) -> Text {
        let rest = (-p.constant_part().to_integer()).mod_floor(modulus);
        let text = held(self.poly(&p.without_constant()), Grip::Power);
        (format!("{text} mod {modulus} {relation} {rest}"), Grip::Comparison)
    }

    fn negation(&mut self, p: Term) -> Text {
        let node = self.c.node(p);
        match &*node {
            Node::Zero(t) => self.equation(&self.c.poly(*t), "!="),
            // What is not even is odd.
            Node::Divides(m, t) if *m == Int::from(2) => self.residue(m, &self.c.poly(*t).add(&Poly::int(1)), "="),
            Node::Divides(m, t) => self.residue(m, &self.c.poly(*t), "!="),
            Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => {
                self.fold(FoldOp::All, *lo, *hi, None, self.c.not(*body))
            }
            _ => (format!("not {}", self.part(p, Grip::Atom)), Grip::Comparison),
        }
    }

    /// Parts of a conjunction; `lo <= x` and `x < hi` become one, and so do several lower ends, and
    /// several upper ends.
    fn conjunction(&mut self, ps: &[Term]) -> String {
        let all: Vec<String> = ps.iter().map(|&p| self.part(p, Grip::Comparison)).collect();
        let mut all = united_ends(united_ends(all, " >= ", "max"), " <= ", "min");
        all.sort();
        let mut i = 0;
        while i < all.len() {
            let joined = lower_end(&all[i]).and_then(|(start, x)| {
                let is_upper = |q: &String| {
                    [" < ", " <= "].iter().any(|r| q.strip_prefix(&format!("{x}{r}")).is_some_and(is_simple))
                };
                let upper = all.iter().position(is_upper)?;
                Some((upper, format!("{start}{}", all[upper])))
            });
            if let Some((upper, text)) = joined.filter(|j| j.0 != i) {
                all[i] = text;
                all.remove(upper);
                all.sort();
                i = 0;
            } else {
                i += 1;
            }
        }
        all.join(" and ")
    }
}

/// The texts with `x >= max(a, b)` in the place of `x >= a` and `x >= b`; so for other relations.
fn united_ends(all: Vec<String>, relation: &str, extremum: &str) -> Vec<String> {
    let mut ends: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut others = Vec::new();
    for text in all {
        match text.split_once(relation).filter(|(x, end)| is_simple(x) && is_simple(end)) {
            Some((x, end)) => ends.entry(x.to_owned()).or_default().push(end.to_owned()),
            None => others.push(text),
        }
    }
    others.extend(ends.into_iter().map(|(x, mut ends)| {
        // Numbers come first, as in other extrema.
        ends.sort_by_key(|end| (end.parse::<Int>().is_err(), end.clone()));
        match &ends[..] {
            [end] => format!("{x}{relation}{end}"),
            _ => format!("{x}{relation}{extremum}({})", ends.join(", ")),
        }
    }));
    others
}

/// `(lo <= , x)` of the text `x >= lo` or `lo <= x`, likewise for `<`, where both are without
/// relations.
fn lower_end(text: &str) -> Option<(String, String)> {
    let of = |by: &str| text.split_once(by).filter(|(a, b)| is_simple(a) && is_simple(b));
    let is_number = |x: &str| x.starts_with(|c: char| c.is_ascii_digit());
    let turned = |by: &str, relation: &str| of(by).map(|(x, lo)| (format!("{lo} {relation} "), x.to_owned()));
    let straight = |relation: &str| {
        let (lo, x) = of(&format!(" {relation} "))?;
        (!is_number(x)).then(|| (format!("{lo} {relation} "), x.to_owned()))
    };
    turned(" >= ", "<=").or_else(|| turned(" > ", "<")).or_else(|| straight("<=")).or_else(|| straight("<"))
}

/// Whether the text has no relation outside of brackets; to be safe, none at all.
fn is_simple(text: &str) -> bool {
    !text.contains(['<', '>', '=']) && !text.contains(" and ")
}

/// `f * (x div modulus)` as `factor * (inside div modulus) + outside`, so that together with `rest`
/// it is short: with coefficients that are not negative, or as near to 0 as can be, of `x` or of
/// its opposite, because `-(x div m) = (m - 1 - x) div m`.
fn shortest_quotient(x: &Poly, modulus: &Int, f: &Rat, rest: &Poly) -> (Poly, Rat, Poly) {
    let opposite = Poly::int(modulus - 1).sub(x);
    let half: Int = modulus.div_floor(&Int::from(2));
    let forms = [(x, f.clone()), (&opposite, -f.clone())].into_iter().flat_map(|(x, factor)| {
        // `x + modulus*k` has coefficients from `lowest`.
        let form = move |lowest: Int| {
            let outside = x.without_constant().map_coefficients(|k| {
                let above: Int = k.to_integer() - &lowest;
                Rat::from_integer(above.div_floor(modulus))
            });
            let inside = x.add_scaled(&outside, &Rat::from_integer(-modulus.clone()));
            (inside, factor.clone(), outside.scale(&factor))
        };
        [form.clone()(Int::zero()), form(Int::one() - modulus + &half)]
    });
    let length = |(inside, factor, outside): &(Poly, Rat, Poly)| {
        let sum = rest.add(outside);
        (sum.terms().len(), factor.is_negative(), inside.is_non_positive(), inside.bits())
    };
    forms.min_by_key(length).expect("there are four forms")
}
