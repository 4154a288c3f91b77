//! Terms as text of the annotation language. A term that has no such text gives none.
//!
//! **Why the text means the same.** Numbers of annotations are integers of mathematics, as terms
//! are. `/` and `%` round towards zero and terms round down, so they are written where the operands
//! are known not to be negative, and where a division leaves no remainder. `\max` and `\min` over a
//! range have no value where the range is empty, so they are written where it is known not to be.

use super::names::Names;
use crate::summary::Region;
use num_traits::{One, Signed, Zero};
use smalti_terms::{BitOp, Context, Facts, FoldOp, Int, Node, Poly, Rat, Sort, Term, Var, WrapType};
use std::collections::BTreeMap;

/// How tightly a text holds together. In a place that needs a tighter one it stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Grip {
    Quantified,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Atom,
}

/// A text with how tightly it holds together.
#[derive(Clone, Debug)]
pub(super) struct Text(String, Grip);

impl Text {
    /// Whether it is the predicate that always holds.
    pub(super) fn is_true(&self) -> bool {
        self.0 == "\\true"
    }

    /// The text for a place that needs at least this grip.
    pub(super) fn held(&self, at_least: Grip) -> String {
        if self.1 >= at_least { self.0.clone() } else { format!("({})", self.0) }
    }
}

/// Writes the terms of one place.
#[derive(Clone)]
pub(super) struct Writer<'w, 'a> {
    c: &'a Context,
    facts: Facts<'a>,
    names: &'w Names<'a>,
    /// What regions hold at the place.
    values: &'w BTreeMap<&'w Region, Term>,
    /// Names for bound variables, the outermost first.
    indexes: &'w [String],
    /// The variables that the text names, such as the counters of loops.
    counters: Vec<Var>,
    /// The bound variables, the outermost first.
    bound: Vec<Var>,
    /// A region that is not to be named.
    hidden: Option<&'w Region>,
    /// Whether the text stands inside `\at(..., Pre)`, where variables have other values.
    at_start: bool,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(super) fn new(
        facts: &Facts<'a>,
        names: &'w Names<'a>,
        values: &'w BTreeMap<&'w Region, Term>,
        indexes: &'w [String],
        counters: Vec<Var>,
    ) -> Self {
        let (c, facts) = (facts.context(), facts.clone());
        Writer { c, facts, names, values, indexes, counters, bound: Vec::new(), hidden: None, at_start: false }
    }

    pub(super) fn context(&self) -> &'a Context {
        self.c
    }

    pub(super) fn facts(&self) -> &Facts<'a> {
        &self.facts
    }

    pub(super) fn names(&self) -> &'w Names<'a> {
        self.names
    }

    /// What a region holds at the place.
    pub(super) fn current(&self, region: &Region) -> Option<Term> {
        self.values.get(region).copied()
    }

    /// The same writer where this is known.
    pub(super) fn knowing(&self, facts: &Facts<'a>) -> Self {
        Writer { facts: facts.clone(), ..self.clone() }
    }

    /// The same writer, which does not name a region.
    pub(super) fn without(&self, region: &'w Region) -> Self {
        Writer { hidden: Some(region), ..self.clone() }
    }

    /// Binds so many more variables, and returns them with their names.
    pub(super) fn binding(&self, count: usize) -> (Self, Vec<(Var, String)>) {
        let names = self.indexes.iter().skip(self.bound.len()).take(count).cloned();
        let new: Vec<(Var, String)> = names.map(|name| (self.c.variable(name.clone(), Sort::Int), name)).collect();
        let bound = self.bound.iter().copied().chain(new.iter().map(|one| one.0)).collect();
        (Writer { bound, ..self.clone() }, new)
    }

    /// That a scalar holds its value, if that is worth a clause.
    pub(super) fn value_of(&self, region: &'w Region) -> Option<String> {
        let name = self.names.number(region)?;
        let value = self.facts.simplify(self.current(region)?);
        self.without(region).equals(&name, value)
    }

    /// That what is called `name` has a value; for the result of a search, what it finds.
    pub(super) fn equals(&self, name: &str, value: Term) -> Option<String> {
        self.equation(name, value).or_else(|| self.found(name, value))
    }

    /// `name == value`, unless that says nothing.
    pub(super) fn equation(&self, name: &str, value: Term) -> Option<String> {
        let text = self.int(value)?.held(Grip::Sum);
        (text != name).then(|| format!("{name} == {text}"))
    }

    /// What is known of `name`, if it is what a search finds, plus a constant.
    fn found(&self, name: &str, value: Term) -> Option<String> {
        let c = self.c;
        let p = c.poly(value);
        let atoms = p.atoms();
        let &[search] = &atoms[..] else { return None };
        let Node::First(lo, hi, body) = *c.node(search) else { return None };
        let more = c.sub(value, search);
        c.as_int(more)?;
        let itself = c.variable(name, Sort::Int);
        let here = c.sub(c.var(itself), more);
        let named = Writer { counters: self.counters.iter().copied().chain([itself]).collect(), ..self.clone() };
        let between = named.truth(c.and(&[c.le(lo, here), c.le(here, hi)]))?.held(Grip::And);
        let none_before = named.quantified(lo, here, body, Quantifier::None)?.held(Grip::And);
        let found = c.implies(c.lt(here, hi), c.instantiate(body, here));
        let holds = named.truth(found)?.held(Grip::And);
        Some(format!("{between} && {none_before} && {holds}"))
    }

    /// Each condition as a predicate of its own, but for those that bound one variable:
    /// `0 <= i <= n`.
    pub(super) fn separately(&self, conditions: &[Term]) -> Vec<String> {
        let (chains, rest) = self.chains(conditions);
        let rest = rest.into_iter().filter_map(|t| self.truth(t)).map(|text| text.0);
        chains.into_iter().map(|text| text.0).chain(rest).collect()
    }

    /// Conditions that bound a variable from both sides as chains of comparisons, and the others.
    fn chains(&self, conditions: &[Term]) -> (Vec<Text>, Vec<Term>) {
        let c = self.c;
        let mut rest = conditions.to_vec();
        let mut chains = Vec::new();
        let mut all: Vec<Term> = conditions.iter().flat_map(|t| self.compared(*t)).collect();
        // Variables first: those of quantifiers are among them.
        all.sort_by_key(|t| (!matches!(*c.node(*t), Node::Var(_)), *t));
        all.dedup();
        for of in all {
            let ends = |sign: i64, rest: &[Term]| rest.iter().position(|t| self.end(*t, of, sign).is_some());
            let (Some(low), Some(high)) = (ends(1, &rest), ends(-1, &rest)) else { continue };
            let texts = (self.end(rest[low], of, 1), self.int(of), self.end(rest[high], of, -1));
            let (Some(lower), Some(between), Some(upper)) = texts else { continue };
            chains.push(Text(format!("{lower} {} {upper}", between.held(Grip::Sum)), Grip::Comparison));
            let both = [rest[low], rest[high]];
            rest.retain(|t| !both.contains(t));
        }
        (chains, rest)
    }

    /// The atoms that a condition compares, if it is a comparison.
    fn compared(&self, condition: Term) -> Vec<Term> {
        match *self.c.node(condition) {
            Node::NonNegative(t) => self.c.poly(t).atoms(),
            _ => Vec::new(),
        }
    }

    /// `0 <=` of a condition that bounds an atom from below (sign 1), `<= n` of one that bounds it
    /// from above (sign -1).
    fn end(&self, condition: Term, of: Term, sign: i64) -> Option<String> {
        let c = self.c;
        let Node::NonNegative(t) = *c.node(condition) else { return None };
        let p = c.poly(t);
        let sign = Rat::from_integer(Int::from(sign));
        if p.degree_in(of) != 1 || p.coefficient(&vec![(of, 1)]) != sign {
            return None;
        }
        let powers = p.by_powers_of(of);
        powers[1].as_constant()?;
        let rest = powers[0].scale(&-sign.clone());
        // `k <= n - 1` is `k < n`.
        let is_strict = rest.as_constant().is_none() && rest.constant_part() == sign;
        let end = if is_strict { rest.without_constant() } else { rest };
        let (end, op) = (self.poly(&end)?.held(Grip::Sum), if is_strict { "<" } else { "<=" });
        Some(if sign.is_positive() { format!("{end} {op}") } else { format!("{op} {end}") })
    }

    /// A condition as a predicate.
    pub(super) fn truth(&self, t: Term) -> Option<Text> {
        let c = self.c;
        Some(match &*c.node(t) {
            Node::Truth(value) => Text(format!("\\{value}"), Grip::Atom),
            Node::NonNegative(t) => match self.search(*t) {
                Some(search) if !search.is_negative => self.not_before(&search)?,
                _ => self.comparison(&c.poly(*t), "<=")?,
            },
            Node::Zero(t) => match self.search(*t) {
                // The search finds nothing.
                Some(Search { lo, hi, body, is_negative, rest })
                    if rest == if is_negative { hi } else { c.neg(hi) } =>
                {
                    self.quantified(lo, hi, body, Quantifier::None)?
                }
                _ => self.comparison(&c.poly(*t), "==")?,
            },
            Node::Divides(m, t) => Text(format!("{} % {m} == 0", self.int(*t)?.held(Grip::Product)), Grip::Comparison),
            Node::Not(p) => match &*c.node(*p) {
                Node::Zero(t) => match self.search(*t) {
                    Some(Search { lo, hi, body, is_negative, rest })
                        if rest == if is_negative { hi } else { c.neg(hi) } =>
                    {
                        self.quantified(lo, hi, body, Quantifier::Some)?
                    }
                    _ => self.comparison(&c.poly(*t), "!=")?,
                },
                Node::Divides(m, t) => {
                    Text(format!("{} % {m} != 0", self.int(*t)?.held(Grip::Product)), Grip::Comparison)
                }
                Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => {
                    self.quantified(*lo, *hi, *body, Quantifier::None)?
                }
                _ => Text(format!("!{}", self.truth(*p)?.held(Grip::Atom)), Grip::Atom),
            },
            Node::And(ps) => {
                let (chains, rest) = self.chains(ps);
                let mut all: Vec<String> = chains.iter().map(|text| text.held(Grip::Comparison)).collect();
                for p in rest {
                    all.push(self.truth(p)?.held(Grip::Comparison));
                }
                Text(all.join(" && "), Grip::And)
            }
            Node::Or(ps) => {
                let all: Option<Vec<String>> =
                    ps.iter().map(|p| Some(self.truth(*p)?.held(Grip::Comparison))).collect();
                Text(all?.join(" || "), Grip::Or)
            }
            Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => self.quantified(*lo, *hi, *body, Quantifier::Some)?,
            Node::Fold { op: FoldOp::All, lo, hi, body, .. } => self.quantified(*lo, *hi, *body, Quantifier::All)?,
            _ => return None,
        })
    }

    /// The search in a sum of one search and a rest, or minus one search.
    fn search(&self, t: Term) -> Option<Search> {
        let c = self.c;
        let p = c.poly(t);
        let (search, is_negative) = p.terms().iter().find_map(|(m, f)| match m[..] {
            [(atom, 1)] if f.abs().is_one() && matches!(*c.node(atom), Node::First(..)) => {
                Some((atom, f.is_negative()))
            }
            _ => None,
        })?;
        let Node::First(lo, hi, body) = *c.node(search) else { return None };
        let rest = if is_negative { c.add(t, search) } else { c.sub(t, search) };
        Some(Search { lo, hi, body, is_negative, rest })
    }

    /// `first k in [lo, hi) with p(k), else hi` is at least some `t`: so is `hi`, and `p` holds
    /// nowhere before `t`.
    fn not_before(&self, search: &Search) -> Option<Text> {
        let c = self.c;
        let t = c.neg(search.rest);
        let bound = self.truth(c.le(t, search.hi))?.held(Grip::Comparison);
        let none = self.quantified(search.lo, t, search.body, Quantifier::None)?.held(Grip::Comparison);
        Some(Text(format!("{bound} && {none}"), Grip::And))
    }

    /// `0 op p`, with each summand on the side on which it has a plus.
    fn comparison(&self, p: &Poly, op: &str) -> Option<Text> {
        let part = |is_left: bool| {
            let terms = p.terms().iter().filter(|(m, k)| !m.is_empty() && k.is_negative() == is_left);
            terms.fold(Poly::default(), |all, (m, k)| all.add(&Poly::monomial(m.clone(), k.abs())))
        };
        let scale = Rat::from_integer(p.denominator());
        let (mut left, mut right) = (part(true).scale(&scale), part(false).scale(&scale));
        let constant = p.constant_part() * &scale;
        let is_strict = op == "<=" && constant == -Rat::one() && !left.terms().is_empty();
        if !is_strict {
            let number = Poly::constant(constant.abs());
            match constant.is_negative() {
                true => left = left.add(&number),
                false => right = right.add(&number),
            }
        }
        let op = if is_strict { "<" } else { op };
        // A variable is compared with a number.
        let (left, right, op) = match (op, left.as_constant()) {
            ("==" | "!=", Some(_)) => (right, left, op),
            _ => (left, right, op),
        };
        let (left, right) = (self.poly(&left)?.held(Grip::Sum), self.poly(&right)?.held(Grip::Sum));
        Some(Text(format!("{left} {op} {right}"), Grip::Comparison))
    }

    /// That a property holds of some, all or no index of a range.
    fn quantified(&self, lo: Term, hi: Term, body: Term, which: Quantifier) -> Option<Text> {
        let c = self.c;
        let (writer, k) = self.inside(lo, hi)?;
        let body = c.open(body, k);
        let body = if which == Quantifier::None { c.not(body) } else { body };
        let (word, arrow) = if which == Quantifier::Some { ("exists", "&&") } else { ("forall", "==>") };
        let range = writer.range(lo, hi, k)?;
        let body = writer.truth(writer.facts.simplify(body))?.held(Grip::And);
        Some(Text(format!("\\{word} integer {}; {range} {arrow} {body}", writer.text_of(k)), Grip::Quantified))
    }

    /// The writer for a body of which the index is in a range, and the index.
    fn inside(&self, lo: Term, hi: Term) -> Option<(Self, Term)> {
        let (writer, new) = self.binding(1);
        let k = self.c.var(new.first()?.0);
        let facts = writer.facts.with(self.c.within(lo, k, hi));
        Some((writer.knowing(&facts), k))
    }

    fn range(&self, lo: Term, hi: Term, k: Term) -> Option<String> {
        let (lo, hi) = (self.int(lo)?.held(Grip::Sum), self.int(hi)?.held(Grip::Sum));
        Some(format!("{lo} <= {} < {hi}", self.text_of(k)))
    }

    /// The name of a bound variable.
    fn text_of(&self, k: Term) -> String {
        match *self.c.node(k) {
            Node::Var(v) => self.c.variable_name(v),
            _ => String::new(),
        }
    }

    /// An integer.
    fn int(&self, t: Term) -> Option<Text> {
        let c = self.c;
        let non_negative = |t: Term| self.facts.proves(c.ge(t, c.int(0)));
        let call = |name: &str, all: &[String]| Text(format!("\\{name}({})", all.join(", ")), Grip::Atom);
        Some(match &*c.node(t) {
            Node::Poly(p) => self.poly(p)?,
            Node::Var(v) if self.bound.contains(v) => Text(c.variable_name(*v), Grip::Atom),
            Node::Var(v) if self.counters.contains(v) && !self.at_start => Text(c.variable_name(*v), Grip::Atom),
            Node::Apply(..) | Node::Read(..) => Text(self.place(t)?, Grip::Atom),
            Node::Div(a, b) if non_negative(*a) && non_negative(*b) => {
                let (a, b) = (self.int(*a)?.held(Grip::Product), self.int(*b)?.held(Grip::Atom));
                Text(format!("{a} / {b}"), Grip::Product)
            }
            Node::Power(base, e) if *base == Int::from(2) && non_negative(*e) => {
                Text(format!("(1 << {})", self.int(*e)?.held(Grip::Sum)), Grip::Atom)
            }
            Node::Ite(p, a, b) => {
                let p = self.truth(*p)?.held(Grip::Comparison);
                let a = self.knowing(&self.facts.with(self.condition(t)?)).int(*a)?.held(Grip::Sum);
                let b = self.knowing(&self.facts.with(c.not(self.condition(t)?))).int(*b)?.held(Grip::Sum);
                Text(format!("({p} ? {a} : {b})"), Grip::Atom)
            }
            Node::Max(ts) => self.nested("max", ts)?,
            Node::Min(ts) => self.nested("min", ts)?,
            Node::Fold { op, lo, hi, seed, body } => match (op, seed) {
                (FoldOp::Sum, _) => self.sum(*lo, *hi, *body)?,
                (FoldOp::Product, _) => call("product", &self.over(*lo, *hi, *body)?),
                (FoldOp::Max, Some(seed)) => self.extreme("max", *lo, *hi, *seed, *body)?,
                (FoldOp::Min, Some(seed)) => self.extreme("min", *lo, *hi, *seed, *body)?,
                _ => return None,
            },
            Node::Wrap(to, t) => Text(format!("({})({})", type_name(*to)?, self.int(*t)?.0), Grip::Atom),
            Node::Bits(op, ts) => {
                let op = match op {
                    BitOp::And => " & ",
                    BitOp::Or => " | ",
                    BitOp::Xor => " ^ ",
                };
                let all: Option<Vec<String>> = ts.iter().map(|t| Some(self.int(*t)?.held(Grip::Atom))).collect();
                Text(format!("({})", all?.join(op)), Grip::Atom)
            }
            _ => return None,
        })
    }

    fn condition(&self, choice: Term) -> Option<Term> {
        match *self.c.node(choice) {
            Node::Ite(p, ..) => Some(p),
            _ => None,
        }
    }

    /// The greatest or least of some terms, two by two.
    fn nested(&self, name: &str, ts: &[Term]) -> Option<Text> {
        let mut all = ts.iter().map(|t| self.int(*t).map(|text| text.held(Grip::Sum)));
        let first = all.next()??;
        let text = all.try_fold(first, |text, next| Some(format!("\\{name}({text}, {})", next?)))?;
        Some(Text(text, Grip::Atom))
    }

    /// A sum, or the number of indexes with a property.
    fn sum(&self, lo: Term, hi: Term, body: Term) -> Option<Text> {
        let c = self.c;
        if let Node::Ite(p, a, b) = *c.node(body)
            && c.as_int(a).is_some_and(|a| a.is_one())
            && c.as_int(b).is_some_and(|b| b.is_zero())
        {
            let (writer, k) = self.inside(lo, hi)?;
            let property = writer.truth(writer.facts.simplify(c.open(p, k)))?.0;
            let (lo, last) = (self.int(lo)?.held(Grip::Sum), self.int(c.sub(hi, c.int(1)))?.held(Grip::Sum));
            let k = writer.text_of(k);
            return Some(Text(format!("\\numof({lo}, {last}, \\lambda integer {k}; {property})"), Grip::Atom));
        }
        Some(Text(format!("\\sum({})", self.over(lo, hi, body)?.join(", ")), Grip::Atom))
    }

    /// The first index, the last, and the body as a function.
    fn over(&self, lo: Term, hi: Term, body: Term) -> Option<Vec<String>> {
        let c = self.c;
        let (writer, k) = self.inside(lo, hi)?;
        let body = writer.int(writer.facts.simplify(c.open(body, k)))?.0;
        let (lo, last) = (self.int(lo)?.held(Grip::Sum), self.int(c.sub(hi, c.int(1)))?.held(Grip::Sum));
        Some(vec![lo, last, format!("\\lambda integer {}; {body}", writer.text_of(k))])
    }

    /// The extreme of a seed and the bodies over a range.
    fn extreme(&self, name: &str, lo: Term, hi: Term, seed: Term, body: Term) -> Option<Text> {
        let c = self.c;
        let before = c.sub(lo, c.int(1));
        // The seed is often the body at the index before.
        if c.instantiate(body, before) == seed && self.facts.proves(c.le(lo, hi)) {
            return Some(Text(format!("\\{name}({})", self.over(before, hi, body)?.join(", ")), Grip::Atom));
        }
        let over = format!("\\{name}({})", self.over(lo, hi, body)?.join(", "));
        // Or it is the first body.
        let is_first = c.instantiate(body, lo) == seed;
        let seed = self.int(seed)?.held(Grip::Sum);
        let whole = if is_first { over } else { format!("\\{name}({seed}, {over})") };
        if self.facts.proves(c.lt(lo, hi)) {
            return Some(Text(whole, Grip::Atom));
        }
        let (lo, hi) = (self.int(lo)?.held(Grip::Sum), self.int(hi)?.held(Grip::Sum));
        Some(Text(format!("({lo} < {hi} ? {whole} : {seed})"), Grip::Atom))
    }

    /// A polynomial.
    fn poly(&self, p: &Poly) -> Option<Text> {
        if let Some(number) = p.as_constant() {
            let grip = if number.is_negative() { Grip::Sum } else { Grip::Atom };
            return number.is_integer().then(|| Text(number.to_string(), grip));
        }
        if let Some(atom) = p.as_atom() {
            return self.int(atom);
        }
        let denominator = p.denominator();
        let mut whole = p.scale(&Rat::from_integer(denominator.clone()));
        let mut all: Vec<(bool, u32, String)> = Vec::new();
        while let Some((remainder, f, rest)) = self.remainder(&whole) {
            let factor = if f.abs().is_one() { String::new() } else { format!("{} * ", f.abs()) };
            all.push((f.is_negative(), 1, format!("{factor}{}", remainder.held(Grip::Atom))));
            whole = rest;
        }
        if let [(false, _, only)] = &all[..]
            && only.starts_with('(')
            && whole.terms().is_empty()
            && denominator.is_one()
        {
            return self.remainder(p).map(|found| found.0);
        }
        for (m, f) in whole.terms() {
            let mut factors: Vec<String> = Vec::new();
            for &(t, e) in m {
                let text = self.int(t)?.held(Grip::Atom);
                factors.extend(std::iter::repeat_n(text, e as usize));
            }
            factors.sort();
            if factors.is_empty() || !f.abs().is_one() {
                factors.insert(0, f.abs().to_string());
            }
            all.push((f.is_negative(), m.iter().map(|one| one.1).sum(), factors.join(" * ")));
        }
        // Numbers come last, and no sum begins with a minus if it need not.
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)).then_with(|| a.2.cmp(&b.2)));
        if let Some(first) = all.iter().position(|one| !one.0) {
            let first = all.remove(first);
            all.insert(0, first);
        }
        let is_product = all.len() == 1 && !all[0].0;
        let mut text = String::new();
        for (n, (is_negative, _, term)) in all.iter().enumerate() {
            text += match (n, is_negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            text += term;
        }
        let text = Text(text, if is_product { Grip::Product } else { Grip::Sum });
        // The value is an integer, so nothing is rounded.
        Some(match denominator.is_one() {
            true => text,
            false => Text(format!("{} / {denominator}", text.held(Grip::Product)), Grip::Product),
        })
    }

    /// `f * (x % c)` in the place of `f*x - f*c*(x / c)`, for an `x` that is not negative: the
    /// remainder, `f`, and the rest of the polynomial.
    fn remainder(&self, p: &Poly) -> Option<(Text, Rat, Poly)> {
        let c = self.c;
        p.terms().iter().find_map(|(m, f)| {
            let [(atom, 1)] = m[..] else { return None };
            let Node::Div(x, by) = *c.node(atom) else { return None };
            let modulus = c.as_int(by).filter(Signed::is_positive)?;
            let factor = -f / Rat::from_integer(modulus.clone());
            let without = p.add_scaled(&Poly::atom(atom), &-f.clone());
            let rest = without.add_scaled(&c.poly(x), &-factor.clone());
            let is_simpler = factor.is_integer() && rest.terms().len() < without.terms().len();
            if !is_simpler || !self.facts.proves(c.ge(x, c.int(0))) {
                return None;
            }
            let text = Text(format!("{} % {modulus}", self.int(x)?.held(Grip::Atom)), Grip::Product);
            Some((text, factor, rest))
        })
    }

    /// An unknown, or a cell of an unknown array, by the name of what holds it now or held it at
    /// the start.
    fn place(&self, t: Term) -> Option<String> {
        if !self.at_start
            && let Some(name) = self.holder(t)
        {
            return Some(name);
        }
        let (symbol, indexes) = match &*self.c.node(t) {
            Node::Apply(symbol, arguments) if arguments.is_empty() => (*symbol, Vec::new()),
            Node::Read(array, indexes) => match &*self.c.node(*array) {
                Node::Apply(symbol, arguments) if arguments.is_empty() => (*symbol, indexes.clone()),
                _ => return None,
            },
            _ => return None,
        };
        let inside = Writer { at_start: true, ..self.clone() };
        let indexes: Option<Vec<String>> = indexes.iter().map(|i| Some(inside.int(*i)?.0)).collect();
        let name = self.names.at_start(symbol, &indexes?)?;
        Some(if self.at_start { name } else { format!("\\at({name}, Pre)") })
    }

    /// The name of what holds a value now.
    fn holder(&self, t: Term) -> Option<String> {
        let c = self.c;
        let indexes: Vec<Term> = match &*c.node(t) {
            Node::Apply(_, arguments) => arguments.clone(),
            Node::Read(_, indexes) => indexes.clone(),
            _ => return None,
        };
        for region in self.names.regions().filter(|region| self.hidden != Some(*region)) {
            if region.rank() as usize != indexes.len() {
                continue;
            }
            let Some(value) = self.current(region) else { continue };
            let is_it = match indexes.is_empty() {
                true => value == t,
                false => self.facts.simplify(c.read(value, &indexes)) == t,
            };
            if is_it {
                let texts: Option<Vec<String>> = indexes.iter().map(|i| Some(self.int(*i)?.0)).collect();
                return self.names.cell(region, &texts?);
            }
        }
        None
    }
}

/// A search with a number.
struct Search {
    lo: Term,
    hi: Term,
    body: Term,
    /// Whether the search is subtracted.
    is_negative: bool,
    /// What is added.
    rest: Term,
}

/// Of which indexes of a range a property holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    Some,
    All,
    None,
}

/// The name of a machine integer type.
fn type_name(to: WrapType) -> Option<&'static str> {
    Some(match (to.bits, to.signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}
