//! Closed forms of loops.

use super::facts::Range;
use super::state::{Base, Contents, Layer, State};
use super::{Atom, Before, Cell, Frame, Poly, Pre, Walk};
use crate::program::{BinaryOp, Block, ExprKind, Loop, Stmt, StmtKind, VarId};
use crate::reduce::effects::Effects;
use std::collections::HashMap;

/// Deeper nests are given up.
const MOST_DEPTH: usize = 4;
/// How often an iteration is walked through to find closed forms.
const MOST_PASSES: usize = 6;

/// The loop under analysis, and the names of the unknowns in its iteration `i`, which is arbitrary.
struct Looked<'l> {
    counter: VarId,
    low: Poly,
    high: Poly,
    body: &'l Block,
    /// `i`
    i: Atom,
    /// `i`, as a value.
    now: Poly,
    /// Memory before the loop.
    before: State,
    pre: Pre,
    /// What the arrays that the loop writes hold at the start of the iteration.
    contents: HashMap<VarId, u32>,
}

impl<'l> Looked<'l> {
    fn new(walk: &Walk<'_>, counter: VarId, low: Poly, high: Poly, body: &'l Block) -> Self {
        let i = walk.atoms.symbol();
        let (mut pre, mut contents) = (Pre::new(), HashMap::new());
        for v in Effects::of(body).writes {
            if walk.program.variable(v).ty.is_scalar() {
                pre.insert(Before::Scalar(v), walk.atoms.symbol());
            } else {
                pre.insert(Before::Written(v), walk.atoms.symbol());
                contents.insert(v, walk.atoms.number());
            }
        }
        Looked { counter, low, high, body, i, now: Poly::atom(i), before: walk.state.clone(), pre, contents }
    }

    /// The value of an unknown at the start of the iteration, if it has been found.
    fn at_start(&self, key: Before, found: &Found) -> Option<Poly> {
        let atom = *self.pre.get(&key)?;
        Some(found.closed.get(&key).cloned().unwrap_or_else(|| Poly::atom(atom)))
    }
}

/// What one iteration does.
struct Iteration {
    /// The value of each unknown at the start of the next iteration.
    next: HashMap<Before, Option<Poly>>,
    layers: HashMap<VarId, Option<Vec<Layer>>>,
}

/// The values found so far at the start of iteration `i`, which is arbitrary.
#[derive(Default)]
struct Found {
    /// Closed forms in the counter.
    closed: HashMap<Before, Poly>,
    /// The value that iteration `i` leaves, if it does not depend on the value before the iteration
    /// but differs from the value at the very start.
    left: HashMap<Before, Poly>,
}

impl Walk<'_> {
    pub(super) fn run(&mut self, s: &Stmt, l: &Loop) {
        let whole = vec![s.clone()];
        let Some((counter, low, high)) = self.bounds(l) else {
            self.lose(&whole);
            return;
        };
        let (Some(less), Some(more)) = (low.minus(&high), high.minus(&low)) else {
            self.lose(&whole);
            return;
        };
        if self.nonnegative(&less) {
            return;
        }
        if !self.nonnegative(&more) || self.depth >= MOST_DEPTH {
            self.lose(&whole);
            return;
        }
        let before = (self.state.clone(), self.open);
        if self.generic(&Looked::new(self, counter, low.clone(), high.clone(), &l.body)) {
            return;
        }
        // The first iteration may differ from the others.
        let one = more.plus_constant(-1);
        let Some(next) = low.plus_constant(1).filter(|_| one.is_some_and(|p| self.nonnegative(&p))) else { return };
        let first = (std::mem::replace(&mut self.state, before.0), std::mem::replace(&mut self.open, before.1));
        self.state.scalars.insert(counter, Some(low));
        self.depth += 1;
        self.block(&l.body);
        self.depth -= 1;
        let better = self.generic(&Looked::new(self, counter, next, high, &l.body));
        if !better && (self.open.is_some() && first.1.is_none()) {
            (self.state, self.open) = first;
        }
    }

    /// The counter, its first value, and the value that it stops at.
    fn bounds(&mut self, l: &Loop) -> Option<(VarId, Poly, Poly)> {
        let StmtKind::Assign(target, _) = &l.step.first()?.kind else { return None };
        let counter = target.as_var()?;
        let shape = self.loops.get(&counter)?;
        let (relation, step, exit) = (shape.relation, shape.step, shape.exit);
        if step != 1 || exit.is_some() {
            return None;
        }
        let ExprKind::Binary(_, _, bound) = &l.condition.kind else { return None };
        let low = self.state.scalars.get(&counter)?.clone()?;
        let bound = self.eval(bound)?;
        let high = if relation == BinaryOp::LessEqual { bound.plus_constant(1)? } else { bound };
        Some((counter, low, high))
    }

    /// Finds closed forms, and continues the walk after the loop. Returns whether everything that
    /// the loop writes has a closed form and every assertion in it holds.
    fn generic(&mut self, looked: &Looked<'_>) -> bool {
        let (checks, open) = (self.checks, self.open);
        self.checks = false;
        self.depth += 1;
        self.facts.push(Range { atom: looked.i, low: looked.low.clone(), high: Some(looked.high.clone()) });
        let mut found = Found::default();
        for _ in 0..MOST_PASSES {
            let iteration = self.iterate(looked, &found);
            let known = found.closed.len();
            self.solve(looked, iteration, &mut found);
            if found.closed.len() == known {
                break;
            }
        }
        // Once more, with all that is known: this time assertions count.
        self.checks = checks;
        self.open = open;
        let last = self.iterate(looked, &found);
        let held = self.open == open;
        self.checks = false;
        let mut complete = held;
        let mut after = looked.before.clone();
        let some =
            looked.high.minus(&looked.low).and_then(|p| p.plus_constant(-1)).is_some_and(|p| self.nonnegative(&p));
        for v in Effects::of(looked.body).writes {
            if self.program.variable(v).ty.is_scalar() {
                let key = Before::Scalar(v);
                let closed = found.closed.get(&key).and_then(|p| p.with(&self.atoms, looked.i, &looked.high));
                let value = closed.or_else(|| {
                    let last = looked.high.plus_constant(-1)?;
                    found.left.get(&key).filter(|_| some)?.with(&self.atoms, looked.i, &last)
                });
                let private = crate::reduce::normal::writes_first(looked.body, v);
                complete &= value.is_some() || private;
                after.scalars.insert(v, value);
            } else {
                let new = self.cells(looked, v, &last, &found, some);
                complete &= new.is_some();
                after.arrays.insert(v, new);
            }
        }
        self.facts.pop();
        self.depth -= 1;
        self.checks = checks;
        after.scalars.insert(looked.counter, None);
        self.state = after;
        complete
    }

    /// Walks through iteration `i`.
    fn iterate(&mut self, looked: &Looked<'_>, found: &Found) -> Iteration {
        self.state = looked.before.clone();
        for key in looked.pre.keys() {
            if let Before::Scalar(v) = key {
                self.state.scalars.insert(*v, looked.at_start(*key, found));
            }
        }
        for (&v, &n) in &looked.contents {
            let opaque = Contents { layers: Vec::new(), base: Base::Arbitrary(n) };
            let known = looked.before.arrays.get(&v).is_none_or(Option::is_some);
            self.state.arrays.insert(v, known.then_some(opaque));
        }
        self.state.scalars.insert(looked.counter, Some(looked.now.clone()));
        let mut frame = Frame {
            arrays: HashMap::new(),
            before: looked.before.clone(),
            low: looked.low.clone(),
            counter: looked.now.clone(),
            written: HashMap::new(),
        };
        for (&v, &n) in &looked.contents {
            let offset = self.only_offset(looked.body, v, &looked.now);
            frame.arrays.insert(n, (v, offset));
            if let Some(value) = looked.at_start(Before::Written(v), found) {
                frame.written.insert(v, value);
            }
        }
        self.frames.push(frame);
        self.block(looked.body);
        self.frames.pop();
        let mut iteration = Iteration { next: HashMap::new(), layers: HashMap::new() };
        for key in looked.pre.keys() {
            if let Before::Scalar(v) = key {
                iteration.next.insert(*key, self.state.scalars.get(v).cloned().flatten());
            }
        }
        for (&v, &n) in &looked.contents {
            let now = self.state.arrays.get(&v).cloned().flatten();
            let now = now.filter(|c| c.base == Base::Arbitrary(n)).map(|c| c.layers);
            iteration.layers.insert(v, now);
        }
        iteration
    }

    /// The offset from the counter of all assignments of an iteration to an array's cells, as far
    /// as the indices show it at the start of the iteration.
    fn only_offset(&mut self, body: &Block, v: VarId, counter: &Poly) -> Option<i128> {
        let mut targets = Vec::new();
        let mut simple = true;
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            for s in block {
                match &s.kind {
                    StmtKind::If(_, a, b) => blocks.extend([a, b]),
                    StmtKind::Assign(l, _) if matches!(l.base, crate::program::Base::Var(w) if w == v) => {
                        targets.push(l.clone());
                    }
                    _ => simple &= !Effects::of(std::slice::from_ref(s)).writes.contains(&v),
                }
            }
        }
        let mut offset = None;
        for l in targets {
            // The index may read what the iteration changes before it: such indices are refused.
            let constant_index = self.cell(&l)?.minus(counter)?.as_constant()?;
            let [crate::program::Step::Index(e)] = &l.path[..] else { return None };
            let reads = Effects::of_expr(e).reads;
            let own = Effects::of(body).writes;
            if !reads.is_disjoint(&own) || offset.is_some_and(|o| o != constant_index) {
                return None;
            }
            offset = Some(constant_index);
        }
        offset.filter(|_| simple)
    }

    /// Extends the layer by the neighbouring cells that hold what it would say of them.
    fn extended(&self, old: &Contents, mut layer: Layer) -> Layer {
        let Some(value) = layer.value.clone() else { return layer };
        let says = |at: &Poly| value.with(&self.atoms, self.index, at);
        if let Some(at) = layer.low.plus_constant(-1)
            && says(&at).is_some_and(|p| self.read(old, &at) == Some(p))
        {
            layer.low = at;
        }
        if says(&layer.high).is_some_and(|p| self.read(old, &layer.high) == Some(p))
            && let Some(high) = layer.high.plus_constant(1)
        {
            layer.high = high;
        }
        layer
    }

    /// The offset from the counter of the one cell that an iteration writes.
    fn offset(&self, layers: Option<&Vec<Layer>>, counter: &Poly) -> Option<i128> {
        let [layer] = &layers?[..] else { return None };
        let width = layer.high.minus(&layer.low)?.as_constant()?;
        let offset = layer.low.minus(counter)?.as_constant()?;
        (width == 1).then_some(offset)
    }

    /// Writes a value in known terms. A cell of an array that the loop writes is looked up if the
    /// iteration that wrote it is known.
    fn resolve(
        &self,
        p: &Poly,
        looked: &Looked<'_>,
        offsets: &HashMap<VarId, Option<i128>>,
        found: &Found,
    ) -> Option<Poly> {
        p.map(&mut |atom| {
            if let Some((key, _)) = looked.pre.iter().find(|(_, a)| **a == atom) {
                return looked.at_start(*key, found);
            }
            let Some((n, index)) = self.atoms.as_cell(atom) else { return Some(Poly::atom(atom)) };
            let Some((v, _)) = looked.contents.iter().find(|(_, m)| **m == n) else { return Some(Poly::atom(atom)) };
            let cell = Cell {
                before: looked.before.arrays.get(v).and_then(Option::as_ref),
                written: looked.at_start(Before::Written(*v), found),
                first: looked.low.plus_constant(offsets.get(v).copied().flatten()?)?,
                own: looked.now.plus_constant(offsets.get(v).copied().flatten()?)?,
            };
            self.at_start(&cell, &self.resolve(&index, looked, offsets, found)?)
        })
    }

    /// Whether a polynomial mentions a value at the start of the iteration, or a cell that the loop
    /// writes.
    fn is_pending(&self, p: &Poly, looked: &Looked<'_>) -> bool {
        p.atoms(&self.atoms).iter().any(|a| {
            looked.pre.values().any(|b| a == b)
                || self.atoms.as_cell(*a).is_some_and(|(n, _)| looked.contents.values().any(|m| *m == n))
        })
    }

    /// Finds closed forms from what an iteration computes from its starting values.
    fn solve(&mut self, looked: &Looked<'_>, iteration: Iteration, found: &mut Found) {
        let (i, before) = (looked.i, &looked.before);
        let offsets: HashMap<VarId, Option<i128>> =
            iteration.layers.iter().map(|(v, layers)| (*v, self.offset(layers.as_ref(), &looked.now))).collect();
        let mut next = iteration.next;
        for (v, layers) in &iteration.layers {
            if let (Some(Some(offset)), Some([layer])) = (offsets.get(v), layers.as_deref()) {
                let here = looked.now.plus_constant(*offset);
                let value = layer.value.as_ref().zip(here).and_then(|(p, k)| p.with(&self.atoms, self.index, &k));
                next.insert(Before::Written(*v), value);
            }
        }
        loop {
            let known = found.closed.len();
            for (key, value) in &next {
                if found.closed.contains_key(key) {
                    continue;
                }
                let Some(value) = value else { continue };
                let Some(value) = self.resolve(value, looked, &offsets, found) else {
                    continue;
                };
                let initial = match key {
                    Before::Scalar(v) => before.scalars.get(v).cloned().flatten(),
                    Before::Written(v) => {
                        let at = offsets.get(v).copied().flatten().and_then(|c| looked.low.plus_constant(c - 1));
                        let old = before.arrays.get(v).cloned().flatten();
                        at.zip(old).and_then(|(at, old)| self.read(&old, &at))
                    }
                };
                let Some(&own) = looked.pre.get(key) else { continue };
                let growth = value.minus(&Poly::atom(own));
                if let (Some(growth), Some(initial)) = (&growth, &initial)
                    && !self.is_pending(growth, looked)
                {
                    let sum = growth.sum(&self.atoms, i, &looked.low, &looked.now);
                    if let Some(closed) = sum.and_then(|s| s.plus(initial)) {
                        found.closed.insert(*key, closed);
                    }
                    continue;
                }
                if self.is_pending(&value, looked) {
                    continue;
                }
                let at = |n: &Poly| value.with(&self.atoms, i, n);
                let earlier = looked.now.plus_constant(-1).and_then(|p| at(&p));
                let first = looked.low.plus_constant(-1).and_then(|p| at(&p));
                if first.is_some() && first == initial {
                    if let Some(closed) = earlier {
                        found.closed.insert(*key, closed);
                    }
                } else {
                    found.left.insert(*key, value);
                }
            }
            if found.closed.len() == known {
                return;
            }
        }
    }

    /// What an array holds after the loop.
    fn cells(
        &mut self,
        looked: &Looked<'_>,
        v: VarId,
        last: &Iteration,
        found: &Found,
        some: bool,
    ) -> Option<Contents> {
        let mut old = match looked.before.arrays.get(&v) {
            Some(old) => old.clone()?,
            None => return None,
        };
        let layers = last.layers.get(&v)?.as_ref()?;
        if layers.is_empty() {
            return Some(old);
        }
        let [layer] = &layers[..] else { return None };
        let offsets: HashMap<VarId, Option<i128>> =
            last.layers.iter().map(|(v, layers)| (*v, self.offset(layers.as_ref(), &looked.now))).collect();
        let new = match offsets.get(&v).copied().flatten() {
            Some(offset) => self.one_each(looked, layer, offset, &offsets, found)?,
            None => self.stretches(looked, &old, *looked.contents.get(&v)?, layer, found, some)?,
        };
        let layer = self.extended(&old, new);
        old.layers.push(layer);
        Some(old)
    }

    /// The contents after a loop that writes one cell in each iteration.
    fn one_each(
        &self,
        looked: &Looked<'_>,
        layer: &Layer,
        offset: i128,
        offsets: &HashMap<VarId, Option<i128>>,
        found: &Found,
    ) -> Option<Layer> {
        let (i, k) = (looked.i, self.index);
        let here = looked.now.plus_constant(offset)?;
        let value = layer.value.as_ref().and_then(|p| p.with(&self.atoms, k, &here)).and_then(|p| {
            let p = self.resolve(&p, looked, offsets, found)?;
            if self.is_pending(&p, looked) {
                return None;
            }
            p.with(&self.atoms, i, &Poly::atom(k).plus_constant(-offset)?)
        });
        let (low, high) = (looked.low.plus_constant(offset)?, looked.high.plus_constant(offset)?);
        Some(Layer { low, high, value })
    }

    /// The contents after a loop that writes a stretch of cells in each iteration. `number` is that
    /// of the array's contents at the start of the iteration.
    fn stretches(
        &mut self,
        looked: &Looked<'_>,
        old: &Contents,
        number: u32,
        layer: &Layer,
        found: &Found,
        some: bool,
    ) -> Option<Layer> {
        let (i, k) = (looked.i, self.index);
        let index = Poly::atom(k);
        let own = self.atoms.cell(number, &index);
        // If the stretch is one cell, the cell at its own index is the cell at the index of the
        // stretch.
        let one = layer.high.minus(&layer.low)?.as_constant() == Some(1);
        let value = &layer.value.as_ref()?.map(&mut |atom| match self.atoms.as_cell(atom) {
            Some((n, at)) if one && n == number && at == layer.low => Some(Poly::atom(own)),
            _ => Some(Poly::atom(atom)),
        })?;
        let added = value.minus(&Poly::atom(own))?;
        let adds = !added.atoms(&self.atoms).contains(&own) && value.atoms(&self.atoms).contains(&own);
        let what = self.settled(if adds { &added } else { value }, looked, found)?;
        let Stretch { low, high, from, to } = self.stretch(looked, layer)?;
        self.facts.push(Range { atom: k, low: low.clone(), high: Some(high.clone()) });
        let new = if adds {
            let sum = what.sum(&self.atoms, i, &from, &to);
            let was = self.read(old, &index);
            sum.zip(was).and_then(|(a, b)| a.plus(&b))
        } else if some {
            // The last of these iterations counts.
            to.plus_constant(-1).and_then(|n| what.with(&self.atoms, i, &n))
        } else {
            None
        };
        self.facts.pop();
        Some(Layer { low, high, value: Some(new?) })
    }

    /// A value in terms of what is known at the start of the iteration.
    fn settled(&self, p: &Poly, looked: &Looked<'_>, found: &Found) -> Option<Poly> {
        let p = p.map(&mut |atom| match looked.pre.iter().find(|(_, a)| **a == atom) {
            Some((key, _)) => looked.at_start(*key, found),
            None => Some(Poly::atom(atom)),
        })?;
        (!self.is_pending(&p, looked)).then_some(p)
    }

    /// The cells that the loop covers with the stretch of each iteration.
    fn stretch(&self, looked: &Looked<'_>, layer: &Layer) -> Option<Stretch> {
        let index = Poly::atom(self.index);
        let is_fixed = |p: &Poly| !p.mentions(&self.atoms, looked.i) && !self.is_pending(p, looked);
        let distance = |p: &Poly| p.minus(&looked.now).and_then(|d| d.as_constant());
        if is_fixed(&layer.low) && is_fixed(&layer.high) {
            let (from, to) = (looked.low.clone(), looked.high.clone());
            return Some(Stretch { low: layer.low.clone(), high: layer.high.clone(), from, to });
        }
        if let (true, Some(c)) = (is_fixed(&layer.low), distance(&layer.high)) {
            // index < i + c
            let from = index.plus_constant(1 - c)?;
            let reaches = layer.low.plus_constant(1 - c)?.minus(&looked.low)?;
            if !self.nonnegative(&reaches) {
                return None;
            }
            let high = looked.high.plus_constant(c - 1)?;
            return Some(Stretch { low: layer.low.clone(), high, from, to: looked.high.clone() });
        }
        if let (Some(c), true) = (distance(&layer.low), is_fixed(&layer.high)) {
            // i + c <= index
            let to = index.plus_constant(1 - c)?;
            let reaches = looked.high.plus_constant(c)?.minus(&layer.high)?;
            if !self.nonnegative(&reaches) {
                return None;
            }
            let low = looked.low.plus_constant(c)?;
            return Some(Stretch { low, high: layer.high.clone(), from: looked.low.clone(), to });
        }
        None
    }
}

/// Cells that are written in several iterations.
struct Stretch {
    low: Poly,
    high: Poly,
    /// The first iteration whose stretch covers the cell with the index.
    from: Poly,
    /// The end of these iterations.
    to: Poly,
}
