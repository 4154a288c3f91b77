//! An octagon as independent parts (Singh, Püschel, Vechev, "Making numerical program analysis
//! fast", PLDI 2015): variables that no bound connects do not slow down operations on each other.

mod lattice;

use crate::kernel::{self, INFINITY, LIMIT, sum};
use crate::part::OctagonPart;
use smalti_core::{Var, VarMap, work};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The parts, closed each for itself. Between variables of two parts holds what follows from the
/// bounds of the single variables; a variable in no part is unconstrained.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// By variable: the first variable of its part.
    leaders: VarMap<Var>,
    /// By first variable.
    parts: VarMap<Rc<OctagonPart>>,
}

/// A variable, or the number opposite to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    pub(crate) var: Var,
    pub(crate) negated: bool,
}

impl Literal {
    pub(crate) fn opposite(self) -> Literal {
        Literal { negated: !self.negated, ..self }
    }

    pub(crate) fn node(self, number: usize) -> usize {
        2 * number + usize::from(self.negated)
    }
}

/// The place of a variable: its part and its number there.
pub(crate) type VarPosition<'p> = Option<(&'p Rc<OctagonPart>, usize)>;

/// At joins, at most this many variables are put into one part only because both sides know
/// different bounds of them. What is lost beyond it are relations that only the two branches'
/// constants make.
pub(crate) const MOST_MADE_BY_JOIN: usize = 100;

impl Parts {
    /// Whether nothing is known.
    pub(crate) fn is_top(&self) -> bool {
        self.parts.is_empty()
    }

    /// The variables about which something is known, ascending.
    pub(crate) fn vars(&self) -> impl Iterator<Item = Var> {
        self.leaders.iter().map(|e| e.0)
    }

    /// The parts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Rc<OctagonPart>> {
        self.parts.iter().map(|e| e.1)
    }

    /// The part of a variable.
    pub(crate) fn part(&self, v: Var) -> Option<&Rc<OctagonPart>> {
        self.parts.get(*self.leaders.get(v)?)
    }

    pub(crate) fn place(&self, v: Var) -> VarPosition<'_> {
        let part = self.part(v)?;
        Some((part, part.position(v)?))
    }

    /// The variables of a part with a bound of a sum with, or a distance from, one of `vars` that
    /// does not follow from the bounds of both.
    pub(crate) fn tied(&self, vars: &[Var]) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        for v in vars {
            let Some((part, k)) = self.place(*v) else { continue };
            let tied = |l: &usize| {
                [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().any(|(a, b)| {
                    let (i, j) = (2 * k + a, 2 * l + b);
                    *l != k && part.entry(i, j) < sum(part.half(i ^ 1), part.half(j))
                })
            };
            found.extend((0..part.len()).filter(tied).map(|l| part.vars[l]));
        }
        found
    }

    /// An upper bound of a literal; [`INFINITY`] is none.
    pub(crate) fn upper(&self, l: Literal) -> i64 {
        self.place(l.var).map_or(INFINITY, |(part, k)| part.half(l.node(k)))
    }

    /// An upper bound of the sum of two literals.
    pub(crate) fn upper_of_sum(&self, p: Literal, q: Literal) -> i64 {
        let (Some((a, k)), Some((b, l))) = (self.place(p.var), self.place(q.var)) else { return INFINITY };
        if Rc::ptr_eq(a, b) { a.entry(p.node(k) ^ 1, q.node(l)) } else { sum(a.half(p.node(k)), b.half(q.node(l))) }
    }

    /// All that is known of some variables, as one closed part.
    pub(crate) fn gather(&self, vars: &[Var]) -> Cow<'_, OctagonPart> {
        if let Some(part) = vars.first().and_then(|v| self.part(*v))
            && part.vars == vars
        {
            return Cow::Borrowed(part);
        }
        let mut parts: Vec<&OctagonPart> = Vec::new();
        // By variable: the number of its part in `parts`, and its own number there.
        let mut places: Vec<Option<(usize, usize)>> = Vec::with_capacity(vars.len());
        for v in vars {
            let place = self.place(*v).map(|(part, k)| {
                let part: &OctagonPart = part;
                let number = parts.iter().rposition(|p| std::ptr::eq(*p, part)).unwrap_or_else(|| {
                    parts.push(part);
                    parts.len() - 1
                });
                (number, k)
            });
            places.push(place);
        }
        let half = |p: &Option<(usize, usize)>, sign| p.map_or(INFINITY, |(part, k)| parts[part].half(2 * k + sign));
        let halves: Vec<[i64; 2]> = places.iter().map(|p| [half(p, 0), half(p, 1)]).collect();
        let mut all = OctagonPart::free(vars.to_vec());
        work::did(all.matrix.len());
        for (t, here) in places.iter().enumerate() {
            let Some((part, k)) = *here else { continue };
            let matrix = &parts[part].matrix;
            for a in [0, 1] {
                let own = halves[t][a ^ 1];
                let row = all.row_mut(t, a);
                for (s, there) in places[..=t].iter().enumerate() {
                    let Some((other, l)) = *there else { continue };
                    let pair = match part == other {
                        true => kernel::pair(matrix, 2 * k + a, l),
                        false => [sum(own, halves[s][0]), sum(own, halves[s][1])],
                    };
                    row[2 * s..2 * s + 2].copy_from_slice(&pair);
                }
            }
        }
        Cow::Owned(all)
    }

    /// Takes the part with this first variable out.
    fn take(&mut self, leader: Var) -> Option<Rc<OctagonPart>> {
        let part = self.parts.remove(leader)?;
        for v in &part.vars {
            self.leaders.remove(*v);
        }
        Some(part)
    }

    /// Puts a part in, none of whose variables is in another.
    fn put(&mut self, part: Rc<OctagonPart>) {
        let Some(leader) = part.vars.first().copied() else { return };
        for v in &part.vars {
            if self.leaders.get(*v) != Some(&leader) {
                self.leaders.insert(*v, leader);
            }
        }
        self.parts.insert(leader, part);
    }

    /// Puts a closed part in as its independent components. Its variables are in no other part,
    /// though they may still be listed under one that was taken out of `parts`.
    pub(crate) fn put_split(&mut self, part: OctagonPart) {
        let groups = part.components();
        if groups.len() == 1 && groups[0].len() == part.len() {
            return self.put(Rc::new(part));
        }
        part.vars.iter().for_each(|v| _ = self.leaders.remove(*v));
        for group in groups {
            self.put(Rc::new(part.project(&group)));
        }
    }

    /// Forgets everything about these variables. The rest of a part may fall into several.
    pub(crate) fn forget(&mut self, vars: &[Var]) {
        let mut leaders: Vec<Var> = vars.iter().filter_map(|v| self.leaders.get(*v).copied()).collect();
        leaders.sort_unstable();
        leaders.dedup();
        for leader in leaders {
            let Some(part) = self.parts.remove(leader) else { continue };
            let numbers: Vec<usize> = (0..part.len()).filter(|k| !vars.contains(&part.vars[*k])).collect();
            if numbers.is_empty() {
                part.vars.iter().for_each(|v| _ = self.leaders.remove(*v));
                continue;
            }
            vars.iter().filter(|v| part.vars.contains(v)).for_each(|v| _ = self.leaders.remove(*v));
            self.put_split(part.project(&numbers));
        }
    }

    /// Keeps only the bounds of these variables. The others cost nothing.
    pub(crate) fn project(&self, keep: &BTreeSet<Var>) -> Parts {
        let mut result = Parts::default();
        let leaders: BTreeSet<Var> = keep.iter().filter_map(|v| self.leaders.get(*v).copied()).collect();
        for part in leaders.into_iter().filter_map(|leader| self.parts.get(leader)) {
            let numbers: Vec<usize> = match keep.len() * 4 < part.len() {
                true => {
                    let mut numbers: Vec<usize> = keep.iter().filter_map(|v| part.position(*v)).collect();
                    numbers.sort_unstable();
                    numbers
                }
                false => (0..part.len()).filter(|k| keep.contains(&part.vars[*k])).collect(),
            };
            if numbers.len() == part.len() {
                result.put(Rc::clone(part));
            } else {
                result.put_split(part.project(&numbers));
            }
        }
        result
    }

    /// Brings all these variables into one part, the first variable of which is answered.
    fn unite(&mut self, all: &[Var]) -> Var {
        let mut leaders: Vec<Var> = all.iter().filter_map(|v| self.leaders.get(*v).copied()).collect();
        leaders.sort_unstable();
        leaders.dedup();
        // The others join the largest one.
        let size = |leader: &Var| self.parts.get(*leader).map_or(0, |part| part.len());
        let Some(largest) = leaders.iter().copied().max_by_key(size) else {
            let mut vars = all.to_vec();
            vars.dedup();
            let leader = vars[0];
            self.put(Rc::new(OctagonPart::free(vars)));
            return leader;
        };
        let others: Vec<Rc<OctagonPart>> =
            leaders.iter().filter(|l| **l != largest).filter_map(|l| self.parts.remove(*l)).collect();
        let new: Vec<Var> = all.iter().copied().filter(|v| !self.leaders.contains(*v)).collect();
        if others.is_empty() && new.is_empty() {
            return largest;
        }
        if let Some(part) = self.part_mut(largest) {
            others.iter().for_each(|other| part.append(other));
            if !new.is_empty() {
                part.append(&OctagonPart::free(new.clone()));
            }
        }
        for v in others.iter().flat_map(|part| &part.vars).chain(&new) {
            self.leaders.insert(*v, largest);
        }
        largest
    }

    /// The part with this first variable, to be changed.
    fn part_mut(&mut self, leader: Var) -> Option<&mut OctagonPart> {
        self.parts.get_mut(leader).map(Rc::make_mut)
    }

    /// Adds `p + q <= c`; `false` if no point is left. Numbers beyond [`LIMIT`] are no bounds.
    pub(crate) fn constrain(&mut self, p: Literal, q: Literal, c: i128) -> bool {
        if p.var == q.var && p.negated != q.negated {
            return c >= 0;
        }
        // A weaker constraint, where the number is too small.
        let Ok(c) = i64::try_from(c.max(-i128::from(LIMIT))) else { return true };
        if c > LIMIT || self.upper_of_sum(p, q) <= c {
            return true;
        }
        let leader = if p.var == q.var { self.unite(&[p.var]) } else { self.unite(&[p.var, q.var]) };
        let Some(part) = self.part_mut(leader) else { return true };
        match (part.position(p.var), part.position(q.var)) {
            (Some(k), Some(l)) => part.add(p.node(k), q.node(l), c),
            _ => true,
        }
    }

    /// `p <= c`; `false` if no point is left.
    pub(crate) fn constrain_one(&mut self, p: Literal, c: i128) -> bool {
        self.constrain(p, p, c.saturating_mul(2))
    }

    /// `v := v + c`
    pub(crate) fn shift(&mut self, v: Var, c: i64) {
        let Some(leader) = self.leaders.get(v).copied() else { return };
        if let Some(part) = self.part_mut(leader)
            && let Some(k) = part.position(v)
        {
            part.shift(k, c);
        }
    }

    /// `v := -v`
    pub(crate) fn negate(&mut self, v: Var) {
        let Some(leader) = self.leaders.get(v).copied() else { return };
        if let Some(part) = self.part_mut(leader)
            && let Some(k) = part.position(v)
        {
            part.negate(k);
        }
    }

    /// `v := w + c` or `v := -w + c`, for another variable `w`.
    pub(crate) fn copy(&mut self, v: Var, w: Literal, c: i64) {
        let leader = self.leaders.get(v).copied().filter(|l| self.leaders.get(w.var) == Some(l));
        let Some(leader) = leader else {
            self.forget(&[v]);
            return self.extend(w.var, v, |part, k| part.append_copy(v, k, w.negated, c));
        };
        if let Some(part) = self.part_mut(leader)
            && let (Some(x), Some(y)) = (part.position(v), part.position(w.var))
        {
            part.assign_copy(x, y, w.negated, c);
        }
        self.split(leader);
    }

    /// Divides a part that was changed in place, if it falls into several.
    fn split(&mut self, leader: Var) {
        let Some(part) = self.parts.get(leader) else { return };
        let groups = part.components();
        if groups.len() != 1 || groups[0].len() != part.len() {
            let Some(part) = self.take(leader) else { return };
            for group in groups {
                self.put(Rc::new(part.project(&group)));
            }
        }
    }

    /// Makes `twin`, about which nothing is known, an independent copy of `v` (*expand*).
    pub(crate) fn twin(&mut self, v: Var, twin: Var) {
        if let Some((part, k)) = self.place(v) {
            let alone = part.len() == 1;
            if alone {
                let mut single = part.project(&[k]);
                single.vars[0] = twin;
                self.put(Rc::new(single));
            } else {
                self.extend(v, twin, |part, k| part.append_twin(twin, k));
            }
        }
    }

    /// Lets `append` add `new` to the part of `v`. `append` receives the number of `v`.
    fn extend(&mut self, v: Var, new: Var, append: impl FnOnce(&mut OctagonPart, usize)) {
        let leader = match self.leaders.get(v) {
            Some(leader) => *leader,
            None => {
                self.put(Rc::new(OctagonPart::free(vec![v])));
                v
            }
        };
        if let Some(part) = self.part_mut(leader)
            && let Some(k) = part.position(v)
        {
            append(part, k);
            self.leaders.insert(new, leader);
        }
    }

    /// Renames variables at once; the targets are new, or renamed themselves.
    pub(crate) fn rename(&mut self, name: impl Fn(Var) -> Var, from: &[Var]) {
        let leaders: BTreeSet<Var> = from.iter().filter_map(|v| self.leaders.get(*v).copied()).collect();
        let mut taken: Vec<Rc<OctagonPart>> = leaders.into_iter().filter_map(|leader| self.take(leader)).collect();
        for part in &mut taken {
            for v in &mut Rc::make_mut(part).vars {
                *v = name(*v);
            }
        }
        taken.into_iter().for_each(|part| self.put(part));
    }
}
