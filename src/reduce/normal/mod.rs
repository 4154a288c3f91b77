//! The normal form that loop pruning and loop shrinking work on: a program as a sequence of
//! straight-line code and counted loops, with every call inlined, every pointer resolved, and no
//! jumps.
//!
//! **Meaning.** The parts run one after the other. Take a run of the original program that is free
//! of undefined behaviour and reaches the chosen assertion. It is also a run of the normal form,
//! with the same values there. The normal form may have more runs. So a proof about the normal form
//! is one about the program, and a failing run is only a hint.

mod allocations;
mod cells;
mod constants;
mod counting;
mod direction;
mod fills;
mod form;
mod pointers;
mod ranges;
mod relevant;
mod split;
mod structure;
#[cfg(test)]
mod tests;
mod total;
mod unread;
mod versions;

use super::effects::Effects;
use super::{Refusal, claims, terms};
use crate::inline::inline;
use crate::program::{
    AssertionId, Block, Expr, ExprKind, Fold, FunctionId, InputId, Lvalue, Program, SiteId, Stmt, StmtKind, Type,
    VarId, VisitMut, each_stmt,
};
pub(crate) use pointers::frees;
pub(super) use pointers::{jumps_back_or_into_loops, resolve as without_pointers};
pub(crate) use ranges::{Sizes, Spot, about_numbers};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use structure::{Shape, Structured};

pub(super) use constants::folded;
pub use form::{Counted, Normal, NormalPart};
pub(super) use versions::writes_first;

/// The most statements that are handled.
const MOST_STATEMENTS: usize = 20_000;

/// The common part of a program's normal forms for its assertions: calls are inlined, pointers
/// resolved.
#[derive(Debug)]
pub struct Inlined {
    /// The variables, types and sources.
    program: Program,
    /// The statements that run, or why they are not known.
    body: Result<Block, Refusal>,
    /// The objects that pointers point to.
    pointees: HashMap<VarId, Lvalue>,
    /// The sizes of the arrays that were heap blocks, and of variables that live to the end.
    sizes: Sizes,
    called_opaquely: BTreeSet<FunctionId>,
    unfollowed: BTreeSet<AssertionId>,
}

/// Removes the requirements of the library on the memory that it is given. Fewer runs then end in
/// undefined behaviour. What holds in all of these runs holds in those without it. Copies are in
/// the program element by element.
struct ForgetBlocks;

impl VisitMut for ForgetBlocks {
    fn parts(&mut self, s: &mut Stmt) {
        if matches!(s.kind, StmtKind::Blocks(_)) {
            s.kind = StmtKind::Skip;
        }
    }
}

impl Inlined {
    /// Inlines the calls of a program.
    pub fn new(program: &Program) -> Inlined {
        let inlined = inline(program);
        let mut unfollowed = BTreeSet::new();
        for body in inlined.called_opaquely.iter().filter_map(|f| program.function(*f).body.as_ref()) {
            each_stmt(body, &mut |s| {
                unfollowed.extend(match &s.kind {
                    StmtKind::Assert(_, assertion) => Some(*assertion),
                    StmtKind::Claim(claim) => claim.role.assertion(),
                    _ => None,
                });
            });
        }
        let mut program = inlined.program;
        program.functions.iter_mut().filter_map(|f| f.body.as_mut()).for_each(|b| ForgetBlocks.block(b));
        let (mut pointees, mut sizes) = (HashMap::new(), Sizes::new());
        let body = match program.functions[program.entry.0 as usize].body.take() {
            Some(body) => {
                let mut count = 0;
                each_stmt(&body, &mut |_| count += 1);
                if count > MOST_STATEMENTS {
                    Err(Refusal::of_all(format!("the program has more than {MOST_STATEMENTS} statements")))
                } else {
                    let (body, resolved) = pointers::resolve(&mut program, body);
                    (pointees, sizes) = (resolved.objects, resolved.sizes);
                    Ok(body)
                }
            }
            None => Err(Refusal::of_all("the entry function has no body")),
        };
        Inlined { program, body, pointees, sizes, called_opaquely: inlined.called_opaquely, unfollowed }
    }

    /// The functions that run in other ways as well, by calls that were left in place.
    pub fn called_opaquely(&self) -> &BTreeSet<FunctionId> {
        &self.called_opaquely
    }

    /// The pointers that were resolved: each holds one address wherever it holds any, that of this
    /// object.
    pub fn pointees(&self) -> &HashMap<VarId, Lvalue> {
        &self.pointees
    }

    /// The sizes of the arrays that were heap blocks, and of variables that live to the end.
    pub(crate) fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The assertions of functions that run in other ways as well: by calls that were left in place
    /// (recursion, calls through pointers, callbacks). What holds of their executions in the
    /// statements that run does not hold of all.
    pub fn unfollowed(&self) -> &BTreeSet<AssertionId> {
        &self.unfollowed
    }

    /// Returns the program, and the statements that run.
    ///
    /// # Errors
    /// The statements that run are not known, or too many.
    pub(crate) fn parts(&self) -> Result<(&Program, &Block), Refusal> {
        Ok((&self.program, self.body.as_ref().map_err(Clone::clone)?))
    }

    /// The arrays whose cells are inputs somewhere, and which inputs.
    pub fn filled(&self) -> Vec<(VarId, InputId)> {
        let Ok(body) = &self.body else { return Vec::new() };
        fills::filled_arrays(&flat(body))
    }

    /// Builds the normal form for one of the assertions. The other assertions are left out, and so
    /// is what the chosen one does not depend on.
    ///
    /// # Errors
    /// A construct that has no normal form: recursion, unknown code, backward jumps, pointers that
    /// may point to several objects, the assertion in a loop that does not count or in a nested
    /// one.
    pub fn normalise(&self, assertion: AssertionId) -> Result<Normal, Refusal> {
        self.nest(assertion)?.normal()
    }

    /// [`Inlined::normalise`], with loops inside loops as they are.
    ///
    /// # Errors
    /// As for [`Inlined::normalise`], except for nested loops.
    pub fn nest(&self, assertion: AssertionId) -> Result<Nest, Refusal> {
        let body = self.body.as_ref().map_err(Clone::clone)?;
        let mut program = self.program.clone();
        let body = claims::only(&program, body, assertion, false);
        let mut claim = None;
        each_stmt(&body, &mut |s| {
            if let StmtKind::Claim(_) = s.kind {
                claim.get_or_insert(s.location);
            }
        });
        if let Some(at) = claim {
            return Err(Refusal::at(at, "the assertion cannot be expressed as a C condition"));
        }
        let Structured { body, loops, abstracted } = structure::structure(&mut program, &body, assertion)?;
        let body = flat(&constants::propagate(&program, &body));
        let counters: HashSet<VarId> = loops.keys().copied().collect();
        let body = up_to(body, assertion);
        let body = cells::split(&mut program, body);
        let body = unconditional(&mut program, body, &counters);
        let body = relevant::relevant(&program, &body);
        let body = versions::split(&mut program, body, &counters);
        let body = relevant::relevant(&program, &body);
        let body = fills::direct_inputs(&body);
        let body = fills::without_fills(&program, body);
        let body = relevant::relevant(&program, &body);
        let body = flat(&constants::propagate(&program, &body));
        // Any remaining pointer may point to several objects: no reduction follows it.
        let mut pointer = None;
        each_stmt(&body, &mut |s| {
            let effects = Effects::of_stmt(s);
            if effects.writes_unknown || effects.reads_unknown || !effects.addresses.is_empty() {
                pointer.get_or_insert(s.location);
            }
        });
        if let Some(at) = pointer {
            return Err(Refusal::at(at, "a pointer may point to several objects"));
        }
        Ok(Nest { program, body, loops, abstracted })
    }
}

/// [`Inlined::normalise`] for one assertion alone.
///
/// # Errors
/// As for [`Inlined::normalise`].
pub fn normalise(program: &Program, assertion: AssertionId) -> Result<Normal, Refusal> {
    Inlined::new(program).normalise(assertion)
}

/// A program in normal form, except that it may have loops inside loops.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The variables, types and sources.
    pub(super) program: Program,
    /// The statements that run: those of [`NormalPart::Straight`], and loops as [`Counted`] is
    /// written.
    pub(super) body: Block,
    /// What is known of the loops, by their counters.
    pub(super) loops: HashMap<VarId, Shape>,
    pub(super) abstracted: Vec<Refusal>,
}

impl Nest {
    /// Replaces inner loops by arbitrary values for what they write.
    pub(super) fn normal(self) -> Result<Normal, Refusal> {
        let Nest { program, body, loops, abstracted } = self;
        let parts = direction::align(&program, parts(&program, body, &loops)?);
        Ok(Normal { program, parts, abstracted })
    }
}

/// Replaces inner blocks by their statements.
struct Flat;

impl Fold for Flat {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::Block(b) => out.extend(self.fold_block(b)?),
            StmtKind::Skip => {}
            StmtKind::If(c, ..) => {
                self.fold_inside(s, out)?;
                if let Some(StmtKind::If(_, then, otherwise)) = out.last().map(|s| &s.kind)
                    && let ([Stmt { kind: StmtKind::Assume(e), .. }], []) = (&then[..], &otherwise[..])
                    && e.as_int() == Some(0)
                {
                    out.pop();
                    out.push(s.with(StmtKind::Assume(c.clone().negated())));
                }
            }
            _ => self.fold_inside(s, out)?,
        }
        Ok(())
    }
}

fn flat(block: &Block) -> Block {
    Flat.rebuilt(block)
}

/// The statements up to the last one that contains the assertion. No failing run is longer.
fn up_to(mut body: Block, assertion: AssertionId) -> Block {
    let end = body.iter().rposition(|s| terms::asserts(std::slice::from_ref(s), assertion)).map_or(0, |n| n + 1);
    body.truncate(end);
    body
}

fn has_loop(block: &Block) -> bool {
    let mut found = false;
    each_stmt(block, &mut |s| found |= matches!(s.kind, StmtKind::Loop(_)));
    found
}

/// Turns loops under conditions into loops whose bodies do nothing if the condition does not hold.
/// The condition has its value from before the first of them.
fn unconditional(program: &mut Program, block: Block, counters: &HashSet<VarId>) -> Block {
    let mut out = Vec::with_capacity(block.len());
    for s in block {
        let (site, at) = (s.site, s.location);
        match s.kind {
            StmtKind::If(c, a, b) if has_loop(&a) || has_loop(&b) => {
                let holds = terms::fresh(program, "holds", Type::INT, at);
                let is_not_zero = c.negated().negated();
                out.push(terms::set(program, holds, is_not_zero, site, at));
                let holds = terms::load(program, holds, at);
                out.extend(under(program, &holds, a, counters));
                out.extend(under(program, &holds.negated(), b, counters));
            }
            kind => out.push(Stmt::new(kind, site, at)),
        }
    }
    out
}

fn under(program: &mut Program, condition: &Expr, block: Block, counters: &HashSet<VarId>) -> Block {
    let mut out = Vec::with_capacity(block.len());
    for s in unconditional(program, block, counters) {
        let (site, at) = (s.site, s.location);
        let kind = match s.kind {
            StmtKind::Loop(mut l) => {
                // The source evaluates the bound only where the condition holds.
                if let ExprKind::Binary(_, _, bound) = &mut l.condition.kind {
                    **bound = match (total::total(bound, program.data_model), bound.ty.as_int()) {
                        (Some(total), _) => total,
                        (None, Some(kind)) => {
                            terms::conditional(condition.clone(), (**bound).clone(), Expr::int(0, kind, at))
                        }
                        (None, None) => (**bound).clone(),
                    };
                }
                let body = std::mem::take(&mut l.body);
                l.body = vec![Stmt::new(StmtKind::If(condition.clone(), body, Vec::new()), site, at)];
                StmtKind::Loop(l)
            }
            // Counters are read by their loops only. A declaration changes nothing if the variable
            // is not read.
            kind @ StmtKind::Declare(_) => kind,
            StmtKind::Assign(l, e) if l.as_var().is_some_and(|v| counters.contains(&v)) => StmtKind::Assign(l, e),
            kind => {
                let inner = Stmt::new(kind, site, at);
                StmtKind::If(condition.clone(), vec![inner], Vec::new())
            }
        };
        out.push(Stmt::new(kind, site, at));
    }
    out
}

fn parts(program: &Program, body: Block, loops: &HashMap<VarId, Shape>) -> Result<Vec<NormalPart>, Refusal> {
    let mut parts = Vec::new();
    let mut straight: Block = Vec::new();
    for s in body {
        match &s.kind {
            StmtKind::Loop(_) => {
                // The assignment of the first value was put just before the loop. Nothing between
                // changes what it reads.
                let counted = header(loops, &s, &mut straight)?;
                if !straight.is_empty() {
                    parts.push(NormalPart::Straight(std::mem::take(&mut straight)));
                }
                let body = without_loops(program, &counted.body, s.site)?;
                parts.push(NormalPart::Loop(Counted { body, ..counted }));
            }
            StmtKind::If(_, a, b) if has_loop(a) || has_loop(b) => {
                return Err(Refusal::at(s.location, "a loop stands under a condition"));
            }
            _ => straight.push(s),
        }
    }
    if !straight.is_empty() {
        parts.push(NormalPart::Straight(straight));
    }
    Ok(parts)
}

/// Reads the loop that a statement is, its body unchanged. Removes the first value from the
/// statements before it.
pub(super) fn header(loops: &HashMap<VarId, Shape>, s: &Stmt, before: &mut Block) -> Result<Counted, Refusal> {
    let unknown = || Refusal::at(s.location, "the loop does not count");
    let StmtKind::Loop(l) = &s.kind else { return Err(unknown()) };
    let counter = l.step.first().and_then(|s| match &s.kind {
        StmtKind::Assign(l, _) => l.as_var(),
        _ => None,
    });
    let counter = counter.ok_or_else(unknown)?;
    let shape = loops.get(&counter).ok_or_else(unknown)?;
    let ExprKind::Binary(_, _, bound) = &l.condition.kind else { return Err(unknown()) };
    let is_first = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(l, _) if l.as_var() == Some(counter));
    let first = before.iter().rposition(is_first).map(|n| before.remove(n).kind);
    let Some(StmtKind::Assign(_, first)) = first else {
        return Err(Refusal::at(s.location, "the loop's counter has no first value"));
    };
    Ok(Counted {
        id: l.id,
        location: s.location,
        counter,
        first,
        relation: shape.relation,
        bound: (**bound).clone(),
        step: shape.step,
        body: l.body.clone(),
        exit: shape.exit,
    })
}

/// Replaces loops by arbitrary values for what they write.
struct WithoutLoops<'p> {
    program: &'p Program,
    site: SiteId,
}

impl Fold for WithoutLoops<'_> {
    type Refusal = Refusal;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Refusal> {
        let StmtKind::Loop(l) = &s.kind else { return self.fold_inside(s, out) };
        let mut assumes = false;
        each_stmt(&l.body, &mut |s| assumes |= matches!(s.kind, StmtKind::Assume(_)));
        if assumes || terms::asserts_something(&l.body) {
            return Err(Refusal::at(s.location, "the assertion stands in a nested loop"));
        }
        let Effects { mut writes, writes_unknown, .. } = Effects::of(&l.body);
        writes.extend(Effects::of(&l.step).writes);
        if writes_unknown {
            return Err(Refusal::at(s.location, "a nested loop writes through pointers"));
        }
        let havoc = |v: VarId| StmtKind::Havoc(Lvalue::var(self.program, v, s.location));
        out.extend(writes.into_iter().map(|v| Stmt::new(havoc(v), self.site, s.location)));
        Ok(())
    }
}

/// A body in which inner loops are arbitrary values for what they write.
pub(super) fn without_loops(program: &Program, block: &Block, site: SiteId) -> Result<Block, Refusal> {
    WithoutLoops { program, site }.fold_block(block)
}
