//! Removes jumps from a program, and brings its loops into the form of counting loops.
//!
//! **Jumps.** A jump forward becomes a flag: the statements up to its target run only if the flag
//! is 0. `break` is a jump to the statement after the loop, `continue` one to the end of the body.
//! A loop that is left early continues to count, and its body is skipped. If the source reads the
//! counter after the loop, the jump saves its value. `return` from the entry and `exit` end the
//! run. They become an assumption that is false: no assertion fails after them. Backward jumps are
//! refused.
//!
//! **Loops.** A loop counts under three conditions. Its condition has a conjunct `counter < bound`
//! (or the like). One statement, on every path through the body, adds a constant to the counter,
//! and nothing else writes it. Nothing in the loop writes what the bound reads. The other conjuncts
//! become a `break`. A loop that does not count is replaced by arbitrary values for everything that
//! it writes. This is sound, because the resulting runs include every run of the loop. It requires
//! that the loop contains neither the assertion nor a jump out of it.

use super::super::Refusal;
use super::super::effects::Effects;
use super::super::terms;
use super::counting::{comparisons, conjuncts_of, is_addition, jumps_past, only_addition};
use crate::program::{
    AssertionId, BinaryOp, Block, Expr, ExprKind, Fold, IntKind, LabelId, Location, Loop, LoopKind, Lvalue, Program,
    SiteId, Stmt, StmtKind, Type, VarId, each_stmt, rewritten,
};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

/// The facts about a loop that has this counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) relation: BinaryOp,
    pub(crate) step: i128,
    pub(crate) exit: Option<Location>,
}

/// A body without jumps. Loops are `For`s whose counter, a variable of its own, is in `loops`. The
/// assignment of the first value comes just before each loop.
pub(super) struct Structured {
    pub(super) body: Block,
    pub(super) loops: HashMap<VarId, Shape>,
    /// Why some loops were replaced by arbitrary values.
    pub(super) abstracted: Vec<Refusal>,
}

pub(super) fn structure(program: &mut Program, body: &Block, assertion: AssertionId) -> Result<Structured, Refusal> {
    let mut structurer = Structurer {
        program,
        assertion,
        targets: HashMap::new(),
        around: Vec::new(),
        loops: HashMap::new(),
        abstracted: Vec::new(),
    };
    let (mut out, open) = structurer.list(&flat(body))?;
    if !open.is_empty() {
        return Err(Refusal::of_all("the program jumps backwards, or into a block"));
    }
    let (site, at) = (SiteId(0), structurer.program.function(structurer.program.entry).location);
    let flags: BTreeSet<VarId> = structurer.targets.values().copied().collect();
    let clear = flags.into_iter().map(|f| terms::set(structurer.program, f, terms::int(0, at), site, at));
    let mut body: Block = clear.collect();
    body.append(&mut out);
    let Structurer { loops, abstracted, .. } = structurer;
    Ok(Structured { body, loops, abstracted })
}

struct Structurer<'n> {
    program: &'n mut Program,
    assertion: AssertionId,
    /// The flags of labels. A flag is 0 except between a jump and its target.
    targets: HashMap<LabelId, VarId>,
    around: Vec<Around>,
    loops: HashMap<VarId, Shape>,
    abstracted: Vec<Refusal>,
}

/// The flags of a loop around the current statement.
struct Around {
    leave: VarId,
    skip: VarId,
}

/// The facts about a loop that are found before its body is rewritten.
struct Counting {
    variable: VarId,
    relation: BinaryOp,
    bound: Expr,
    step: i128,
    /// Where the addition stands: in the body, or (none) in the step.
    at: Option<usize>,
    /// The conjuncts that are not the counting comparison.
    others: Vec<Expr>,
}

/// The expressions that replace the loop's old counter in an iteration.
struct Renaming {
    /// Up to the addition.
    before: terms::Substitution,
    /// After it.
    after: terms::Substitution,
}

type Flags = BTreeSet<VarId>;

/// The statements of a block, with inner blocks replaced by their statements.
fn flat(block: &Block) -> Vec<Stmt> {
    let mut out = Vec::new();
    let mut stack: Vec<std::slice::Iter<'_, Stmt>> = vec![block.iter()];
    while let Some(top) = stack.last_mut() {
        match top.next() {
            None => {
                stack.pop();
            }
            Some(Stmt { kind: StmtKind::Block(b), .. }) => stack.push(b.iter()),
            Some(s) => out.push(s.clone()),
        }
    }
    out
}

impl Structurer<'_> {
    fn flag(&mut self, name: &str, at: Location) -> VarId {
        terms::fresh(self.program, name, Type::INT, at)
    }

    fn raise(&self, flag: VarId, s: &Stmt) -> Stmt {
        terms::set(self.program, flag, terms::int(1, s.location), s.site, s.location)
    }

    fn clear(&self, flag: VarId, s: &Stmt) -> Stmt {
        terms::set(self.program, flag, terms::int(0, s.location), s.site, s.location)
    }

    /// `if (none of the flags) block`
    fn unless(&self, flags: &Flags, block: Block, s: &Stmt) -> Block {
        match terms::any(self.program, flags.iter().copied(), s.location) {
            _ if block.is_empty() => block,
            None => block,
            Some(any) => {
                vec![Stmt::new(StmtKind::If(any.negated(), block, Vec::new()), s.site, s.location)]
            }
        }
    }

    /// Rewrites the statements without jumps. Returns the flags of the jumps that leave them.
    fn list(&mut self, stmts: &[Stmt]) -> Result<(Block, Flags), Refusal> {
        let (mut out, mut group) = (Vec::new(), Vec::new());
        let mut pending = Flags::new();
        for s in stmts {
            if let StmtKind::Label(id, _) = &s.kind {
                out.extend(self.unless(&pending, std::mem::take(&mut group), s));
                if let Some(&flag) = self.targets.get(id)
                    && pending.remove(&flag)
                {
                    out.push(self.clear(flag, s));
                }
                continue;
            }
            let (new, raised) = self.stmt(s)?;
            group.extend(new);
            // This holds even if an earlier statement may have raised the same flag: the group
            // tested it before this statement ran.
            if !raised.is_empty() {
                out.extend(self.unless(&pending, std::mem::take(&mut group), s));
                pending.extend(raised);
            }
        }
        if let Some(last) = stmts.last() {
            out.extend(self.unless(&pending, group, last));
        }
        Ok((out, pending))
    }

    fn stmt(&mut self, s: &Stmt) -> Result<(Block, Flags), Refusal> {
        let none = Flags::new();
        let assume_false = || StmtKind::Assume(terms::int(0, s.location));
        Ok(match &s.kind {
            StmtKind::Goto(label) => {
                let flag = match self.targets.get(label) {
                    Some(flag) => *flag,
                    None => {
                        let flag = self.flag("jumps", s.location);
                        self.targets.insert(*label, flag);
                        flag
                    }
                };
                (vec![self.raise(flag, s)], Flags::from([flag]))
            }
            StmtKind::Break | StmtKind::Continue => {
                let Some(around) = self.around.last() else {
                    return Err(Refusal::at(s.location, "a jump does not leave a loop"));
                };
                let flag = if matches!(s.kind, StmtKind::Break) { around.leave } else { around.skip };
                (vec![self.raise(flag, s)], Flags::from([flag]))
            }
            StmtKind::Return(_) | StmtKind::Stop => (vec![s.with(assume_false())], none),
            StmtKind::If(c, a, b) => {
                let (a, mut raised) = self.list(&flat(a))?;
                let (b, others) = self.list(&flat(b))?;
                raised.extend(others);
                (vec![s.with(StmtKind::If(c.clone(), a, b))], raised)
            }
            // At most one assertion or claim remains (see `claims::only`), and it is no claim.
            StmtKind::Claim(_)
            | StmtKind::Blocks(_)
            | StmtKind::Snapshot(_)
            | StmtKind::Presume(_)
            | StmtKind::Skip => (Vec::new(), none),
            StmtKind::Call { .. } => return Err(Refusal::at(s.location, "a call could not be inlined")),
            StmtKind::HavocReachable(_) => {
                return Err(Refusal::at(s.location, "the contents of memory after this are not known"));
            }
            StmtKind::Allocate { .. } => {
                return Err(Refusal::at(s.location, "a heap block is allocated more than once, or under a condition"));
            }
            StmtKind::Block(b) => self.list(&flat(b))?,
            StmtKind::Loop(l) => match self.counted(s, l) {
                Ok(done) => done,
                Err(why) => (self.abstracted(s, l, why)?, none),
            },
            StmtKind::Declare(_)
            | StmtKind::Assign(..)
            | StmtKind::Input(..)
            | StmtKind::Zero(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assume(_)
            | StmtKind::Assert(..)
            | StmtKind::Label(..) => (vec![s.clone()], none),
        })
    }

    /// The statements with `left_at = counter` before each jump that may leave their loop.
    fn with_saves(&self, block: &[Stmt], counter: VarId, left_at: VarId) -> Block {
        Saves { program: self.program, counter, left_at, inner: false }.rebuilt(block)
    }

    fn counted(&mut self, s: &Stmt, l: &Loop) -> Result<(Block, Flags), Refusal> {
        let at = s.location;
        if l.kind == LoopKind::DoWhile {
            return Err(Refusal::at(at, "the loop tests its condition only after its body"));
        }
        let mut body = flat(&l.body);
        let mut step = flat(&l.step);
        let counting = self.counting(&mut body, &step, l, at)?;
        let old = counting.variable;
        let variable = self.program.variable(old).clone();
        let counter = self.program.add_variable(variable.clone());
        let left_at = self.program.add_variable(variable);
        let (leave, skip) = (self.flag("leaves", at), self.flag("skips", at));
        let mut renaming = self.renaming(old, counter, counting.step, at)?;
        (body, step) = self.with_addition_last(body, step, &counting, left_at, &mut renaming, at)?;
        let Renaming { mut before, mut after } = renaming;
        for other in counting.others.into_iter().rev() {
            let other = other.rewritten(&mut before);
            let value = terms::load(self.program, counter, at);
            let saves = terms::set(self.program, left_at, value, s.site, at);
            let leave = vec![saves, Stmt::new(StmtKind::Break, s.site, at)];
            body.insert(0, Stmt::new(StmtKind::If(other.negated(), leave, Vec::new()), s.site, at));
        }
        self.around.push(Around { leave, skip });
        let inside = self.inside(&body, &step, skip, s);
        self.around.pop();
        let (inside, mut exits) = inside?;
        let (inside, exit) = match exits.is_empty() {
            true => (inside, None),
            false => (self.unless(&exits, inside, s), Some(at)),
        };
        self.loops.insert(counter, Shape { relation: counting.relation, step: counting.step, exit });
        let first = terms::load(self.program, old, at);
        let condition =
            terms::compare(counting.relation, terms::load(self.program, counter, at), counting.bound.clone());
        let add = terms::load(self.program, old, at).rewritten(&mut after);
        let add = terms::set(self.program, counter, add, s.site, at);
        let looped = Loop { id: l.id, kind: LoopKind::For, condition, body: inside, step: vec![add] };
        let mut out = Vec::new();
        if exits.contains(&leave) {
            out.push(self.clear(leave, s));
        }
        out.push(terms::set(self.program, counter, first.clone(), s.site, at));
        out.push(s.with(StmtKind::Loop(Box::new(looped))));
        out.push(self.last_value(s, old, left_at, &exits, counting.relation, counting.bound, counting.step, first));
        exits.remove(&leave);
        Ok((out, exits))
    }

    /// The expressions of a loop's old counter, in terms of its new one.
    fn renaming(&self, old: VarId, counter: VarId, step: i128, at: Location) -> Result<Renaming, Refusal> {
        let load = || terms::load(self.program, counter, at);
        let sum = match self.program.variable(old).ty.as_int() {
            Some(kind) => Expr::binary(BinaryOp::Add, load(), Expr::int(step, kind, at), Type::Int(kind)),
            None => return Err(Refusal::at(at, "the loop's counter is not an integer")),
        };
        Ok(Renaming {
            before: terms::Substitution { of: old, to: load() },
            after: terms::Substitution { of: old, to: sum },
        })
    }

    /// Moves the addition to the end of the iteration. The statements after it in the source see
    /// the sum.
    fn with_addition_last(
        &self,
        body: Vec<Stmt>,
        step: Vec<Stmt>,
        counting: &Counting,
        left_at: VarId,
        renaming: &mut Renaming,
        at: Location,
    ) -> Result<(Block, Block), Refusal> {
        let old = counting.variable;
        let Renaming { before, after } = renaming;
        let mut moved = |block: &[Stmt], place: usize| {
            let (head, tail) = (&block[..place], &block[place + 1..]);
            if jumps_past(head, tail) {
                return Err(Refusal::at(at, "some iterations of the loop do not count"));
            }
            let head = rewritten(&self.with_saves(head, old, left_at), before);
            let tail = rewritten(&self.with_saves(tail, old, left_at), after);
            Ok([head, tail].concat())
        };
        match counting.at {
            Some(place) => Ok((moved(&body, place)?, rewritten(&step, after))),
            None => {
                let place = step.iter().position(|s| is_addition(s, old).is_some()).unwrap_or(0);
                let step = moved(&step, place)?;
                Ok((rewritten(&self.with_saves(&body, old, left_at), before), step))
            }
        }
    }

    /// Body and step of a loop as one list.
    fn inside(&mut self, body: &[Stmt], step: &[Stmt], skip: VarId, s: &Stmt) -> Result<(Block, Flags), Refusal> {
        let (mut out, mut exits) = self.list(body)?;
        if exits.remove(&skip) {
            // The flag is cleared first, so that no iteration depends on an earlier one.
            out.insert(0, self.clear(skip, s));
        }
        let (step, more) = self.list(step)?;
        out.extend(self.unless(&exits, step, s));
        exits.extend(more);
        Ok((out, exits))
    }

    /// Finds the parts of a loop that make it count.
    fn counting(&self, body: &mut Vec<Stmt>, step: &[Stmt], l: &Loop, at: Location) -> Result<Counting, Refusal> {
        let mut conjuncts = Vec::new();
        conjuncts_of(&l.condition, &mut conjuncts);
        conjuncts.retain(|c| !matches!(c.kind, ExprKind::Int(n) if n != 0));
        // `while (1) { if (c) break; ... }`
        while let Some(Stmt { kind: StmtKind::If(c, then, otherwise), .. }) = body.first()
            && matches!(flat(then)[..], [Stmt { kind: StmtKind::Break, .. }])
            && otherwise.is_empty()
        {
            conjuncts_of(&c.clone().negated(), &mut conjuncts);
            body.remove(0);
        }
        let mut effects = Effects::of(&l.body);
        let of_step = Effects::of(&l.step);
        effects.writes.extend(of_step.writes);
        if effects.writes_unknown || of_step.writes_unknown {
            return Err(what_is_written(l, at));
        }
        for (n, conjunct) in conjuncts.iter().enumerate() {
            for (variable, relation, bound) in comparisons(conjunct) {
                let bound_effects = Effects::of_expr(&bound);
                let fixed = bound_effects.reads.is_disjoint(&effects.writes) && !bound_effects.reads_unknown;
                if !fixed || self.is_address_taken(variable, l) {
                    continue;
                }
                let Some((place, amount)) = only_addition(body, step, variable) else { continue };
                let up = matches!(relation, BinaryOp::Less | BinaryOp::LessEqual);
                let Some(kind) = self.program.variable(variable).ty.as_int() else { continue };
                if up != (amount > 0) || amount == 0 || !self.stays_in_range(kind, relation, amount, &bound) {
                    continue;
                }
                // The new bound is evaluated before the conjuncts that come before it. If these do
                // not hold, the source has not evaluated the bound.
                let bound = match n {
                    0 => bound,
                    _ => match super::total::total(&bound, self.program.data_model) {
                        Some(bound) => bound,
                        None => continue,
                    },
                };
                let mut others = conjuncts.clone();
                others.remove(n);
                return Ok(Counting { variable, relation, bound, step: amount, at: place, others });
            }
        }
        Err(Refusal::at(
            at,
            "the loop does not count: its condition bounds no variable to which exactly one statement adds a constant",
        ))
    }

    /// Whether the last addition stays in the range of the counter's type, or is undefined
    /// behaviour.
    fn stays_in_range(&self, kind: IntKind, relation: BinaryOp, step: i128, bound: &Expr) -> bool {
        if kind.is_signed() {
            return true;
        }
        let model = self.program.data_model;
        match bound.kind {
            ExprKind::Int(n) => kind.contains(n + step + step.signum(), model),
            _ => relation == BinaryOp::Less && step == 1,
        }
    }

    fn is_address_taken(&self, v: VarId, l: &Loop) -> bool {
        Effects::of(&l.body).addresses.contains(&v) || Effects::of(&l.step).addresses.contains(&v)
    }

    /// The value of the source's counter after the loop.
    #[expect(clippy::too_many_arguments)]
    fn last_value(
        &self,
        s: &Stmt,
        old: VarId,
        left_at: VarId,
        exits: &Flags,
        relation: BinaryOp,
        bound: Expr,
        step: i128,
        first: Expr,
    ) -> Stmt {
        let at = s.location;
        let runs = terms::compare(relation, first.clone(), bound.clone());
        let ty = first.ty.clone();
        let wide = |e: Expr| e.cast(Type::Int(IntKind::LongLong));
        let constant = |n: i128| Expr::int(n, IntKind::LongLong, at);
        let op = |op, a, b| Expr::binary(op, a, b, Type::Int(IntKind::LongLong));
        let inclusive = matches!(relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
        let last = match (ty.as_int(), step) {
            (_, 1 | -1) if !inclusive => bound.cast(ty.clone()),
            (Some(kind), _) if kind.width(self.program.data_model) <= 32 => {
                // first + ceil((bound - first) / step) * step, and one step more for an inclusive
                // bound it lands on.
                let (low, high) = if step > 0 { (first.clone(), bound) } else { (bound, first.clone()) };
                let distance = op(BinaryOp::Sub, wide(high), wide(low));
                let rounding = if inclusive { step.abs() } else { step.abs() - 1 };
                let steps = op(BinaryOp::Div, op(BinaryOp::Add, distance, constant(rounding)), constant(step.abs()));
                op(BinaryOp::Add, wide(first.clone()), op(BinaryOp::Mul, steps, constant(step))).cast(ty.clone())
            }
            _ => {
                let target = Lvalue::var(self.program, old, at);
                return Stmt::new(StmtKind::Havoc(target), s.site, at);
            }
        };
        let mut value = terms::conditional(runs, last, first);
        if let Some(left) = terms::any(self.program, exits.iter().copied(), at) {
            value = terms::conditional(left, terms::load(self.program, left_at, at), value);
        }
        terms::set(self.program, old, value, s.site, at)
    }

    /// Replaces a loop by arbitrary values for all that it writes.
    fn abstracted(&mut self, s: &Stmt, l: &Loop, why: Refusal) -> Result<Block, Refusal> {
        let mut stays = true;
        for block in [&l.body, &l.step] {
            each_stmt(block, &mut |s| match &s.kind {
                StmtKind::Assert(_, id) => stays &= *id != self.assertion,
                // A jump that stays inside would be allowed, but its target has not been checked.
                StmtKind::Goto(_) | StmtKind::Claim(_) => stays = false,
                _ => {}
            });
        }
        let mut effects = Effects::of(&l.body);
        let of_step = Effects::of(&l.step);
        effects.writes.extend(of_step.writes);
        if !stays || effects.writes_unknown || of_step.writes_unknown {
            return Err(why);
        }
        self.abstracted.push(why);
        let havoc =
            |v: &VarId| Stmt::new(StmtKind::Havoc(Lvalue::var(self.program, *v, s.location)), s.site, s.location);
        Ok(effects.writes.iter().map(havoc).collect())
    }
}

/// Why it is not known what a loop writes.
fn what_is_written(l: &Loop, at: Location) -> Refusal {
    let mut calls = None;
    for block in [&l.body, &l.step] {
        each_stmt(block, &mut |s| match s.kind {
            StmtKind::Call { .. } => {
                calls.get_or_insert(Refusal::at(s.location, "a call could not be inlined"));
            }
            StmtKind::HavocReachable(_) => {
                calls.get_or_insert(Refusal::at(s.location, "the contents of memory after this are not known"));
            }
            _ => {}
        });
    }
    calls.unwrap_or_else(|| Refusal::at(at, "the loop writes through pointers that may point to several objects"))
}

/// Puts `left_at = counter` before each jump that may leave the loop.
struct Saves<'p> {
    program: &'p Program,
    counter: VarId,
    left_at: VarId,
    /// In a loop inside it.
    inner: bool,
}

impl Fold for Saves<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        if matches!(s.kind, StmtKind::Goto(_)) || matches!(s.kind, StmtKind::Break) && !self.inner {
            let value = terms::load(self.program, self.counter, s.location);
            out.push(terms::set(self.program, self.left_at, value, s.site, s.location));
        }
        self.fold_inside(s, out)
    }

    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Infallible> {
        let outside = std::mem::replace(&mut self.inner, true);
        let new = self.fold_iteration(l)?;
        self.inner = outside;
        Ok(new)
    }
}
