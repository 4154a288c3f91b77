//! From a program in normal form to the [`Model`]; checks the syntactic constraints (Kumar 2019, 9.2.1).

use super::super::Refusal;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::normal::{Counted, Part};
use super::super::terms::same;
use super::model::{
    Array, Code, Cond, CondId, Def, DefId, Item, Key, Look, LoopModel, Model, ModelPart, Operand, Path, Target, Use,
    Value,
};
use super::terms::{self, affine, constant};
use crate::program::{
    AssertionId, Base, BinaryOp, Block, DataModel, Expr, ExprKind, IntKind, Lvalue, Program, Step, Stmt, StmtKind,
    Type, VarId, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Counters, indices and bounds lie between minus this and this, so that no sum of a few of them overflows.
const FAR: i128 = 1 << 66;

/// The model of a program.
pub(super) fn build(program: &Program, parts: &[Part], assertion: AssertionId) -> Result<Model, Refusal> {
    let loops: Vec<&Counted> =
        parts.iter().filter_map(|p| if let Part::Loop(l) = p { Some(l) } else { None }).collect();
    let sign = direction(&loops)?;
    let mut counters = BTreeSet::new();
    for l in &loops {
        if !counters.insert(l.counter) {
            return Err(Refusal::at(l.location, "the counter of the loop counts another loop too"));
        }
    }
    let mut builder = Builder {
        program,
        data: program.data_model,
        assertion,
        sign,
        counters,
        within: None,
        scalars: Interner::default(),
        arrays: Interner::default(),
        along: BTreeMap::new(),
        moduli: BTreeSet::new(),
        threshold: None,
        fixed: None,
    };
    for l in &loops {
        builder.find_indices(l)?;
    }
    let mut symbol = None;
    let ends = loops.iter().map(|l| builder.bounds(l, &mut symbol)).collect::<Result<Vec<_>, _>>()?;
    if let Some(symbol) = &symbol {
        never_changes(symbol, parts)?;
    }
    if let Some(symbol) = &symbol
        && symbol.ty.as_int().is_none_or(|kind| kind == IntKind::Bool)
    {
        return Err(Refusal::at(symbol.location, "what bounds the loops is no number"));
    }
    if let (Some(_), Some((l, _))) =
        (&symbol, loops.iter().zip(&ends).find(|(l, _)| constant(&l.bound, program.data_model).is_some()))
    {
        return Err(Refusal::at(l.location, "some loops have constant bounds and some have not"));
    }
    let mut ends = ends.into_iter();
    let mut model_parts = Vec::with_capacity(parts.len());
    for (n, part) in parts.iter().enumerate() {
        model_parts.push(match part {
            Part::Straight(b) => ModelPart::Straight(builder.code(b, None)?),
            Part::Loop(l) => {
                let (first, last, step) = ends.next().unwrap_or((0, 0, 1));
                builder.within = Some(Within { counter: l.counter, first, last, symbolic: symbol.is_some() });
                let code = builder.code(&l.body, Some(l))?;
                builder.within = None;
                let (mut scalars, mut cells) = (BTreeMap::new(), BTreeMap::new());
                for (d, def) in code.defs.iter().enumerate() {
                    match def.target {
                        Target::Scalar(s) => scalars.entry(s).or_insert_with(Vec::new).push(d),
                        Target::Cell(a, c) => cells.entry((a, c)).or_insert_with(Vec::new).push(d),
                        Target::Fixed(..) => {
                            return Err(Refusal::at(def.at, "a loop writes a cell with a constant index"));
                        }
                        Target::Whole(_) => {
                            return Err(Refusal::at(def.at, "a loop writes a variable that is no scalar as a whole"));
                        }
                    }
                }
                fixed_cells_are_not_written(&code, &cells)?;
                ModelPart::Loop(LoopModel { part: n, location: l.location, first, last, step, code, scalars, cells })
            }
        });
    }
    let Builder { scalars, arrays, moduli, threshold, fixed, along, .. } = builder;
    Ok(Model {
        sign,
        symbol,
        scalars: scalars.items,
        arrays: arrays.items,
        parts: model_parts,
        moduli,
        threshold,
        fixed,
        along,
    })
}

/// All loops count up, or all count down.
fn direction(loops: &[&Counted]) -> Result<i128, Refusal> {
    let Some(first) = loops.first() else {
        return Err(Refusal::of_all("no loop has anything to do with the assertion"));
    };
    let sign = first.step.signum();
    for l in loops {
        if let Some(at) = l.exit {
            return Err(Refusal::at(at, "the loop can be left early"));
        }
        if l.step.signum() != sign {
            return Err(Refusal::at(l.location, "some loops count up and some down"));
        }
    }
    Ok(sign)
}

/// A cell with a constant index, read in a loop, has one value there: the loop writes nothing of that array.
fn fixed_cells_are_not_written(code: &Code, cells: &BTreeMap<(Array, i128), Vec<DefId>>) -> Result<(), Refusal> {
    let uses = code.defs.iter().flat_map(|d| &d.uses).chain(code.conds.iter().flat_map(|c| &c.uses));
    for u in uses.chain(code.looks.iter().flat_map(|l| &l.uses)) {
        if let Operand::Fixed(a, _) = u.operand
            && cells.keys().any(|(b, _)| *b == a)
        {
            return Err(Refusal::at(u.at, "a loop reads a constant index of an array that it writes"));
        }
    }
    Ok(())
}

/// What bounds are relative to has one value in all loops.
fn never_changes(symbol: &Expr, parts: &[Part]) -> Result<(), Refusal> {
    let mut read = BTreeSet::new();
    terms::each_load(symbol, &mut |l| {
        if let Base::Var(v) = l.base {
            read.insert(v);
        }
    });
    let start = parts.iter().position(|p| matches!(p, Part::Loop(_))).unwrap_or(0);
    for part in &parts[start..] {
        let (Part::Straight(block) | Part::Loop(Counted { body: block, .. })) = part;
        let mut changed = None;
        each_stmt(block, &mut |s| {
            let declared = matches!(s.kind, StmtKind::Declare(v) if read.contains(&v));
            each_part(s, &mut |part| {
                if let crate::program::Part::Lvalue(l, crate::program::Use::Write | crate::program::Use::Address) = part
                    && !matches!(l.base, Base::Var(v) if !read.contains(&v))
                {
                    changed = Some(s.location);
                }
            });
            if declared {
                changed = Some(s.location);
            }
        });
        if let Some(at) = changed {
            return Err(Refusal::at(at, "what bounds the loops changes between them"));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Interner {
    items: Vec<Path>,
    known: HashMap<Path, usize>,
}

impl Interner {
    fn id(&mut self, path: Path) -> usize {
        let next = self.items.len();
        *self.known.entry(path).or_insert_with_key(|p| {
            self.items.push(p.clone());
            next
        })
    }
}

/// The loop whose body is looked at.
struct Within {
    counter: VarId,
    first: i128,
    last: i128,
    symbolic: bool,
}

struct Builder<'p> {
    program: &'p Program,
    data: DataModel,
    assertion: AssertionId,
    sign: i128,
    counters: BTreeSet<VarId>,
    within: Option<Within>,
    scalars: Interner,
    arrays: Interner,
    along: BTreeMap<VarId, usize>,
    moduli: BTreeSet<i128>,
    threshold: Option<i128>,
    fixed: Option<i128>,
}

/// What a name may stand for in an iteration.
type Known = BTreeMap<Operand, (BTreeSet<DefId>, bool)>;

impl Builder<'_> {
    /// Notes where the variables' index stands that depends on the counter.
    fn find_indices(&mut self, l: &Counted) -> Result<(), Refusal> {
        let mut found = Ok(());
        each_stmt(&l.body, &mut |s| {
            each_part(s, &mut |part| {
                let crate::program::Part::Lvalue(lvalue, _) = part else { return };
                let Base::Var(v) = lvalue.base else { return };
                for (n, step) in lvalue.path.iter().enumerate() {
                    if let Step::Index(e) = step
                        && terms::mentions(e, l.counter)
                        && *self.along.entry(v).or_insert(n) != n
                    {
                        found = Err(Refusal::at(lvalue.location, "loops run over several dimensions of an array"));
                    }
                }
            });
        });
        found
    }

    /// The places of the first and the last iteration, and their distance.
    fn bounds(&self, l: &Counted, symbol: &mut Option<Expr>) -> Result<(i128, i128, i128), Refusal> {
        let at = l.location;
        let Some(first) = constant(&l.first, self.data) else {
            return Err(Refusal::at(at, "the loop does not begin at a constant"));
        };
        if !matches!(self.program.variable(l.counter).ty, Type::Int(_))
            || l.bound.ty != self.program.variable(l.counter).ty
        {
            return Err(Refusal::at(at, "the loop's counter and its bound have different types"));
        }
        let step = l.step.checked_abs().filter(|s| *s <= FAR).unwrap_or(FAR);
        let first = first * self.sign;
        let strict = i128::from(matches!(l.relation, BinaryOp::Less | BinaryOp::Greater));
        if let Some(bound) = constant(&l.bound, self.data) {
            let end = bound * self.sign - strict;
            let last = if end < first { first - step } else { first + (end - first) / step * step };
            return if first.abs().max(last.abs()) > FAR {
                Err(Refusal::at(at, "the loop's bounds are too large"))
            } else {
                Ok((first, last, step))
            };
        }
        if self.sign < 0 {
            return Err(Refusal::at(at, "the loop counts down to a bound that is not a constant"));
        }
        let mut sum = affine(&l.bound, self.data);
        if !sum.wraps.is_empty() {
            // It may wrap around: then it is not the symbol plus a constant.
            sum = terms::Affine { base: &l.bound, offset: 0, wraps: Vec::new() };
        }
        match symbol {
            None => *symbol = Some(sum.base.clone()),
            Some(other) if same(other, sum.base) => {}
            #[cfg(any(test, feature = "mutants"))]
            Some(_) if mutated(Mutant::BoundsAreAlike) => {}
            Some(_) => return Err(Refusal::at(at, "the loops have bounds whose distance is not known")),
        }
        let last = sum.offset - strict;
        if first.abs().max(last.abs()) > FAR {
            return Err(Refusal::at(at, "the loop's bounds are too large"));
        }
        Ok((first, last, step))
    }

    /// A block; the body of that loop, if one is given.
    fn code(&mut self, block: &Block, body: Option<&Counted>) -> Result<Code, Refusal> {
        let mut code = Code::default();
        let mut known = Known::new();
        self.block(block, &mut code, &mut known, &mut Vec::new(), body.is_some())?;
        Ok(code)
    }

    fn block(
        &mut self,
        block: &Block,
        code: &mut Code,
        known: &mut Known,
        controls: &mut Vec<(CondId, bool)>,
        looped: bool,
    ) -> Result<(), Refusal> {
        for s in block {
            self.stmt(s, code, known, controls, looped)?;
        }
        Ok(())
    }

    fn stmt(
        &mut self,
        s: &Stmt,
        code: &mut Code,
        known: &mut Known,
        controls: &mut Vec<(CondId, bool)>,
        looped: bool,
    ) -> Result<(), Refusal> {
        let at = s.location;
        match &s.kind {
            StmtKind::Skip => {}
            StmtKind::Assign(l, e) => {
                let uses = self.uses(e, known)?;
                let target = self.target(l)?;
                self.define(
                    Def { target, value: Value::Expr(e.clone()), uses, controls: controls.clone(), at },
                    code,
                    known,
                );
            }
            StmtKind::Input(l, _) => {
                let target = self.target(l)?;
                self.define(
                    Def { target, value: Value::Arbitrary, uses: vec![], controls: controls.clone(), at },
                    code,
                    known,
                );
            }
            StmtKind::Zero(l) | StmtKind::Havoc(l) => {
                let value = if matches!(s.kind, StmtKind::Zero(_)) { Value::Zero } else { Value::Arbitrary };
                for target in self.targets(l)? {
                    let value = value.clone();
                    self.define(Def { target, value, uses: vec![], controls: controls.clone(), at }, code, known);
                }
            }
            StmtKind::Declare(v) => {
                for target in self.targets(&Lvalue::var(self.program, *v, at))? {
                    let value = Value::Arbitrary;
                    self.define(Def { target, value, uses: vec![], controls: controls.clone(), at }, code, known);
                }
            }
            StmtKind::If(c, a, b) => {
                let uses = self.uses(c, known)?;
                let id = code.conds.len();
                code.conds.push(Cond { expr: c.clone(), uses, at: c.location });
                code.order.push(Item::Cond(id));
                let mut other = known.clone();
                controls.push((id, true));
                self.block(a, code, known, controls, looped)?;
                controls.pop();
                controls.push((id, false));
                self.block(b, code, &mut other, controls, looped)?;
                controls.pop();
                join(known, &other);
            }
            StmtKind::Assume(e) => {
                let uses = self.uses(e, known)?;
                code.order.push(Item::Look(code.looks.len()));
                code.looks.push(Look { assumed: true, at, uses, controls: controls.clone() });
            }
            StmtKind::Assert(e, a) if *a == self.assertion => {
                let uses = self.uses(e, known)?;
                code.order.push(Item::Look(code.looks.len()));
                code.looks.push(Look { assumed: false, at, uses, controls: controls.clone() });
            }
            StmtKind::Assert(..) => {}
            _ => return Err(Refusal::at(at, "it has no place for a statement of this kind")),
        }
        Ok(())
    }

    fn define(&self, def: Def, code: &mut Code, known: &mut Known) {
        let id = code.defs.len();
        let operand = match def.target {
            Target::Scalar(s) => Some(Operand::Scalar(s)),
            Target::Cell(a, c) => Some(Operand::Cell(a, c)),
            Target::Fixed(..) | Target::Whole(_) => None,
        };
        if let Some(operand) = operand {
            known.insert(operand, (BTreeSet::from([id]), false));
        }
        code.order.push(Item::Def(id));
        code.defs.push(def);
    }

    /// What a scalar lvalue is that is written.
    fn target(&mut self, l: &Lvalue) -> Result<Target, Refusal> {
        Ok(match self.operand(l)? {
            Operand::Scalar(s) => Target::Scalar(s),
            Operand::Cell(a, c) => Target::Cell(a, c),
            Operand::Fixed(a, k) => Target::Fixed(a, k),
        })
    }

    /// What an lvalue of any type is that is written as a whole.
    fn targets(&mut self, l: &Lvalue) -> Result<Vec<Target>, Refusal> {
        if matches!(l.ty, Type::Int(_)) {
            return Ok(vec![self.target(l)?]);
        }
        let Base::Var(v) = l.base else {
            return Err(Refusal::at(l.location, "it has no place for pointers"));
        };
        if !l.path.is_empty() {
            return Err(Refusal::at(l.location, "part of a variable is written as a whole"));
        }
        Ok(vec![Target::Whole(v)])
    }

    fn counter(&self, e: &Expr) -> bool {
        let counter = self.within.as_ref().map(|w| w.counter);
        matches!(&e.kind, ExprKind::Load(l) if l.as_var().is_some() && l.as_var() == counter)
    }

    /// The offset, in places, of an expression that is the counter plus a constant in every iteration; unless `exactly`, in every one where its
    /// value may be an index.
    fn counter_plus(&self, e: &Expr, exactly: bool) -> Option<i128> {
        let sum = affine(e, self.data);
        let within = self.within.as_ref()?;
        if !self.counter(sum.base) || sum.offset.abs() > FAR {
            return None;
        }
        let kind = sum.base.ty.as_int()?;
        let in_range = sum.wraps.iter().filter(|(wraps, _)| exactly || !wraps.is_signed()).all(|(wraps, offset)| {
            // The least and the greatest value of the counter in the loop.
            let (mut low, mut high) = (within.first * self.sign, within.last * self.sign);
            if self.sign < 0 {
                std::mem::swap(&mut low, &mut high);
            }
            if within.symbolic {
                // Below the bound, which is a value of the counter's type.
                high = kind.max(self.data) + within.last.min(0);
            }
            let kind = *wraps;
            low + offset >= IntKind::min(kind, self.data) && high + offset <= IntKind::max(kind, self.data)
        });
        in_range.then_some(sum.offset * self.sign)
    }

    /// What a scalar lvalue reads or writes.
    fn operand(&mut self, l: &Lvalue) -> Result<Operand, Refusal> {
        let at = l.location;
        let Base::Var(v) = l.base else {
            return Err(Refusal::at(at, "it has no place for pointers"));
        };
        if !matches!(l.ty, Type::Int(_)) {
            return Err(Refusal::at(at, "a value is no integer"));
        }
        if self.counters.contains(&v) {
            return Err(Refusal::at(at, "a loop's counter is used as a value"));
        }
        let along = self.along.get(&v).copied();
        let (mut keys, mut index) = (Vec::with_capacity(l.path.len()), None);
        for (n, step) in l.path.iter().enumerate() {
            match step {
                Step::Field(id, _) if self.program.structure(*id).is_union => {
                    return Err(Refusal::at(at, "it has no place for unions"));
                }
                Step::Field(_, field) => keys.push(Key::Field(*field)),
                Step::Index(e) => {
                    let value = match constant(e, self.data) {
                        Some(k) if k.abs() > FAR => return Err(Refusal::at(at, "an index is too large")),
                        Some(k) => Ok(k),
                        None => Err(self.counter_plus(e, false)),
                    };
                    match value {
                        Ok(k) if along == Some(n) => {
                            index = Some(Err(k * self.sign));
                            keys.push(Key::Along);
                        }
                        Ok(k) => keys.push(Key::Index(k)),
                        Err(Some(c)) if along == Some(n) => {
                            index = Some(Ok(c));
                            keys.push(Key::Along);
                        }
                        Err(_) => {
                            let reason = if self.within.is_some() {
                                "an index in a loop is not its counter plus a constant"
                            } else {
                                "an index outside loops is not a constant"
                            };
                            return Err(Refusal::at(e.location, reason));
                        }
                    }
                }
            }
        }
        Ok(match index {
            None => Operand::Scalar(self.scalars.id((v, keys))),
            Some(Ok(c)) => Operand::Cell(self.arrays.id((v, keys)), c),
            Some(Err(k)) => {
                self.fixed = Some(self.fixed.map_or(k, |f| f.max(k)));
                Operand::Fixed(self.arrays.id((v, keys)), k)
            }
        })
    }

    fn uses(&mut self, e: &Expr, known: &Known) -> Result<Vec<Use>, Refusal> {
        let mut found = Vec::new();
        self.read(e, known, &mut found)?;
        Ok(found)
    }

    fn read(&mut self, e: &Expr, known: &Known, found: &mut Vec<Use>) -> Result<(), Refusal> {
        let at = e.location;
        if !matches!(e.ty, Type::Int(_)) {
            return Err(Refusal::at(at, "a value is no integer"));
        }
        if self.counts(e) {
            return Ok(());
        }
        match &e.kind {
            ExprKind::Int(_) => {}
            ExprKind::Load(l) => {
                let operand = self.operand(l)?;
                let (reach, entry) = known.get(&operand).cloned().unwrap_or((BTreeSet::new(), true));
                found.push(Use { operand, reach, entry, at });
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.read(a, known, found)?,
            ExprKind::Binary(op, a, b) => {
                // Arithmetic is total here: what has no value in C for some operands could have any in CBMC.
                match (op, constant(b, self.data)) {
                    (BinaryOp::Div | BinaryOp::Rem, None | Some(0)) => {
                        return Err(Refusal::at(at, "a divisor is not a constant"));
                    }
                    (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, amount) => {
                        let width = e.ty.as_int().map_or(0, |kind| i128::from(kind.width(self.data)));
                        if !amount.is_some_and(|n| 0 <= n && n < width) {
                            return Err(Refusal::at(at, "a shift is not by a constant below the width"));
                        }
                    }
                    (BinaryOp::PointerAdd | BinaryOp::PointerDiff, _) => {
                        return Err(Refusal::at(at, "it has no place for pointers"));
                    }
                    _ => {}
                }
                self.read(a, known, found)?;
                self.read(b, known, found)?;
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.read(a, known, found)?;
                self.read(b, known, found)?;
            }
            ExprKind::Conditional(c, a, b) => {
                for part in [c, a, b] {
                    self.read(part, known, found)?;
                }
            }
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => {
                return Err(Refusal::at(at, "a value is no integer"));
            }
        }
        Ok(())
    }

    /// Whether the value of an expression depends on the counter alone, and only on its residue or on its side of a constant: then the
    /// iterations that the theorem identifies agree on it (the residue goes into Θ, the constant into K^c).
    fn counts(&mut self, e: &Expr) -> bool {
        let ExprKind::Binary(op, a, b) = &e.kind else { return false };
        if self.sign < 0 {
            return false;
        }
        if *op == BinaryOp::Rem
            && let (Some(c), Some(m)) = (self.counter_plus(a, true), constant(b, self.data))
        {
            // The remainder of a negative number is not its residue.
            let positive = self.within.as_ref().is_some_and(|w| w.first + c >= 0);
            if positive && m > 0 && m < FAR {
                self.moduli.insert(m);
                return true;
            }
        }
        if op.is_comparison() {
            let side = match (self.counter_plus(a, true), constant(b, self.data)) {
                (Some(c), Some(k)) => Some(k - c),
                _ => match (constant(a, self.data), self.counter_plus(b, true)) {
                    (Some(k), Some(c)) => Some(k - c),
                    _ => None,
                },
            };
            // A wider type on both sides says what the counter's own would.
            if let Some(side) = side.filter(|s| s.abs() < FAR) {
                self.threshold = Some(self.threshold.map_or(side, |t| t.max(side)));
                return true;
            }
        }
        false
    }
}

/// What may be known after either of two branches.
fn join(known: &mut Known, other: &Known) {
    let names: BTreeSet<Operand> = known.keys().chain(other.keys()).copied().collect();
    for name in names {
        let nothing = (BTreeSet::new(), true);
        let (defs, entry) = other.get(&name).unwrap_or(&nothing).clone();
        let mine = known.entry(name).or_insert(nothing);
        mine.0.extend(defs);
        mine.1 |= entry;
    }
}

/// Whether a part is a loop with constant bounds that have nothing between them.
pub(super) fn runs_never(program: &Program, part: &Part) -> bool {
    let Part::Loop(l) = part else { return false };
    match (constant(&l.first, program.data_model), constant(&l.bound, program.data_model)) {
        (Some(first), Some(bound)) => match l.relation {
            BinaryOp::Less => first >= bound,
            BinaryOp::LessEqual => first > bound,
            BinaryOp::Greater => first <= bound,
            BinaryOp::GreaterEqual => first < bound,
            _ => false,
        },
        _ => false,
    }
}
