//! Builds the [`Model`] from a program in normal form, and checks the syntactic constraints (Kumar
//! 2019, 9.2.1).

use super::super::Refusal;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::normal::{Counted, NormalPart};
use super::super::terms::same;
use super::model::{
    Array, Code, Cond, CondId, Def, DefId, Item, Look, LoopModel, Model, ModelPart, Operand, Path, Target, Value,
};
use super::terms::{self, constant, displaced};
use crate::program::{
    AssertionId, Base, BinaryOp, Block, DataModel, Expr, IntKind, Lvalue, Program, Step, Stmt, StmtKind, Type, VarId,
    each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Counters, indices and bounds lie between `-FAR` and `FAR`, so that no sum of a few of them
/// overflows.
pub(super) const FAR: i128 = 1 << 66;

/// The model of a program.
pub(super) fn build(program: &Program, parts: &[NormalPart], assertion: AssertionId) -> Result<Model, Refusal> {
    let loops: Vec<&Counted> =
        parts.iter().filter_map(|p| if let NormalPart::Loop(l) = p { Some(l) } else { None }).collect();
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
        check_symbol(program, symbol, parts, &loops)?;
    }
    let mut ends = ends.into_iter();
    let mut model_parts = Vec::with_capacity(parts.len());
    for (n, part) in parts.iter().enumerate() {
        model_parts.push(match part {
            NormalPart::Straight(b) => ModelPart::Straight(builder.code(b, None)?),
            NormalPart::Loop(l) => {
                let ends = ends.next().unwrap_or((0, 0, 1));
                ModelPart::Loop(builder.loop_model(n, l, ends, symbol.is_some())?)
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

/// Checks that the bounds of all loops may be relative to this symbol.
fn check_symbol(program: &Program, symbol: &Expr, parts: &[NormalPart], loops: &[&Counted]) -> Result<(), Refusal> {
    never_changes(symbol, parts)?;
    if symbol.ty.as_int().is_none_or(|kind| kind == IntKind::Bool) {
        return Err(Refusal::at(symbol.location, "the bound of the loops is not an integer"));
    }
    match loops.iter().find(|l| constant(&l.bound, program.data_model).is_some()) {
        Some(l) => Err(Refusal::at(l.location, "some loops have constant bounds and others do not")),
        None => Ok(()),
    }
}

/// Returns the direction of the loops: all count up, or all count down.
fn direction(loops: &[&Counted]) -> Result<i128, Refusal> {
    let Some(first) = loops.first() else {
        return Err(Refusal::of_all("the assertion depends on no loop that counts"));
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

/// Checks that a cell with a constant index that a loop reads has one value there: the loop writes
/// nothing of that array.
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

/// Checks that the symbol which bounds are relative to has one value in all loops.
fn never_changes(symbol: &Expr, parts: &[NormalPart]) -> Result<(), Refusal> {
    let mut read = BTreeSet::new();
    terms::each_load(symbol, &mut |l| {
        if let Base::Var(v) = l.base {
            read.insert(v);
        }
    });
    let start = parts.iter().position(|p| matches!(p, NormalPart::Loop(_))).unwrap_or(0);
    for part in &parts[start..] {
        let (NormalPart::Straight(block) | NormalPart::Loop(Counted { body: block, .. })) = part;
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
            return Err(Refusal::at(at, "the bound of the loops changes between them"));
        }
    }
    Ok(())
}

#[derive(Default)]
pub(super) struct Interner {
    items: Vec<Path>,
    known: HashMap<Path, usize>,
}

impl Interner {
    pub(super) fn id(&mut self, path: Path) -> usize {
        let next = self.items.len();
        *self.known.entry(path).or_insert_with_key(|p| {
            self.items.push(p.clone());
            next
        })
    }
}

/// The loop whose body is under analysis.
pub(super) struct Within {
    pub(super) counter: VarId,
    pub(super) first: i128,
    pub(super) last: i128,
    pub(super) symbolic: bool,
}

pub(super) struct Builder<'p> {
    pub(super) program: &'p Program,
    pub(super) data: DataModel,
    pub(super) assertion: AssertionId,
    pub(super) sign: i128,
    pub(super) counters: BTreeSet<VarId>,
    pub(super) within: Option<Within>,
    pub(super) scalars: Interner,
    pub(super) arrays: Interner,
    pub(super) along: BTreeMap<VarId, usize>,
    pub(super) moduli: BTreeSet<i128>,
    pub(super) threshold: Option<i128>,
    pub(super) fixed: Option<i128>,
}

/// What a name may stand for in an iteration.
pub(super) type ReachingDefinitions = BTreeMap<Operand, (BTreeSet<DefId>, bool)>;

impl Builder<'_> {
    /// The model of a loop, from the places of its first and last iterations and the distance
    /// between them.
    fn loop_model(
        &mut self,
        part: usize,
        l: &Counted,
        (first, last, step): (i128, i128, i128),
        symbolic: bool,
    ) -> Result<LoopModel, Refusal> {
        self.within = Some(Within { counter: l.counter, first, last, symbolic });
        let code = self.code(&l.body, Some(l))?;
        self.within = None;
        let (mut scalars, mut cells) = (BTreeMap::new(), BTreeMap::new());
        for (d, def) in code.defs.iter().enumerate() {
            match def.target {
                Target::Scalar(s) => scalars.entry(s).or_insert_with(Vec::new).push(d),
                Target::Cell(a, c) => cells.entry((a, c)).or_insert_with(Vec::new).push(d),
                Target::Fixed(..) => {
                    return Err(Refusal::at(def.at, "a loop writes a cell with a constant index"));
                }
                Target::Whole(_) => {
                    return Err(Refusal::at(
                        def.at,
                        "a loop writes a whole array or struct, possibly by a nested loop",
                    ));
                }
            }
        }
        fixed_cells_are_not_written(&code, &cells)?;
        Ok(LoopModel { part, location: l.location, first, last, step, code, scalars, cells })
    }

    /// Notes which index of the variables depends on the counter.
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

    /// The places of the first and the last iteration, and the distance between iterations.
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
        let mut sum = displaced(&l.bound, self.data);
        if !sum.wraps.is_empty() {
            // The sum may wrap around: then it is not the symbol plus a constant.
            sum = terms::Displaced { base: &l.bound, offset: 0, wraps: Vec::new() };
        }
        match symbol {
            None => *symbol = Some(sum.base.clone()),
            Some(other) if same(other, sum.base) => {}
            #[cfg(any(test, feature = "mutants"))]
            Some(_) if mutated(Mutant::BoundsAreAlike) => {}
            Some(_) => return Err(Refusal::at(at, "the loops have bounds whose difference is not known")),
        }
        let last = sum.offset - strict;
        if first.abs().max(last.abs()) > FAR {
            return Err(Refusal::at(at, "the loop's bounds are too large"));
        }
        Ok((first, last, step))
    }

    /// Models a block; the body of the given loop, if one is given.
    fn code(&mut self, block: &Block, body: Option<&Counted>) -> Result<Code, Refusal> {
        let mut code = Code::default();
        let mut known = ReachingDefinitions::new();
        self.block(block, &mut code, &mut known, &mut Vec::new(), body.is_some())?;
        Ok(code)
    }

    fn block(
        &mut self,
        block: &Block,
        code: &mut Code,
        known: &mut ReachingDefinitions,
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
        known: &mut ReachingDefinitions,
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
            _ => return Err(Refusal::at(at, "it does not support statements of this kind")),
        }
        Ok(())
    }

    fn define(&self, def: Def, code: &mut Code, known: &mut ReachingDefinitions) {
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
}

/// What may be known after either of two branches.
fn join(known: &mut ReachingDefinitions, other: &ReachingDefinitions) {
    let names: BTreeSet<Operand> = known.keys().chain(other.keys()).copied().collect();
    for name in names {
        let nothing = (BTreeSet::new(), true);
        let (defs, entry) = other.get(&name).unwrap_or(&nothing).clone();
        let mine = known.entry(name).or_insert(nothing);
        mine.0.extend(defs);
        mine.1 |= entry;
    }
}

/// Whether a part is a loop whose constant bounds leave no iteration.
pub(super) fn runs_never(program: &Program, part: &NormalPart) -> bool {
    let NormalPart::Loop(l) = part else { return false };
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
