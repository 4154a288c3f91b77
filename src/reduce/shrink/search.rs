//! Properties with an existential quantifier: a loop that searches, and an assertion about what it
//! has found.
//!
//! **Meaning.** The last loop changes flags and nothing else that is read after it. An iteration
//! that changes them *hits*: it sets one flag `g`, that was 0, to a constant. Let `F0` be the
//! values of the flags before the loop. An iteration is a hit at `j` if it hits when it runs from
//! `F0`. An assertion after the loop is the conjunction of two:
//!
//! * *found*: at every `j` that hits, it holds with the flags that this iteration leaves: a
//!   universal property;
//! * *missed*: some `j` hits, or it holds with `F0`: an existential property, with the assertion at
//!   `F0` as one more of its clauses.
//!
//! **Soundness.** As long as no iteration has hit, the flags are `F0`: each place that writes one
//! sets `g` as well, or is reached only if `g` is not 0. So a run without a hit reaches the
//! assertion with `F0`, and violates *missed*. In a run with a hit the flags after the loop are
//! those that some hit leaves from `F0`, under one of three conditions. (a) The loop reads no flag
//! and writes them at one place, so that the last hit decides. (b) An iteration does nothing once
//! `g` is set, so that the first hit decides. (c) `g` is the only flag that is read after the loop.
//! Such a run violates *found* at that hit.

use super::super::effects::Effects;
use super::super::normal::{Counted, Normal, NormalPart, writes_first};
use super::super::terms;
use crate::program::{
    AssertionId, BinaryOp, Block, Expr, ExprKind, Fold, SiteId, Stmt, StmtKind, Type, UnaryOp, VarId, each_stmt,
};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// The two programs of a search. If the assertions of both hold, that of the program holds.
pub(super) struct Halves {
    /// The last loop asserts, for each hit.
    pub(super) found: Normal,
    /// The last loop searches; the statement after it asserts if it has not hit.
    pub(super) missed: Normal,
}

/// Splits the assertion into halves; `None` if the last loop is no search.
pub(super) fn halves(normal: &Normal, assertion: AssertionId) -> Option<Halves> {
    let [earlier @ .., NormalPart::Loop(search), NormalPart::Straight(rest)] = &normal.parts[..] else { return None };
    let is_loop = |part: &NormalPart| matches!(part, NormalPart::Loop(_));
    let in_loop = |part: &NormalPart| matches!(part, NormalPart::Loop(l) if terms::asserts(&l.body, assertion));
    if !earlier.iter().any(is_loop) || normal.parts.iter().any(in_loop) || !terms::asserts(rest, assertion) {
        return None;
    }
    let flags = Flags::of(normal, earlier, search, rest)?;
    let at = search.location;
    let mut program = normal.program.clone();
    let hit = terms::fresh(&mut program, "hit", Type::INT, at);
    let set = |program: &_, v, value| terms::set(program, v, value, SiteId(0), at);
    let is_hit = |program: &_| terms::load(program, hit, at);
    let assignment = set(&program, hit, terms::int(1, at));
    let body = WithHits { flag: flags.first, hit: &assignment }.rebuilt(&search.body);

    let (mut before, mut inside) = (Block::new(), Block::new());
    for &v in &flags.all {
        let ty = program.variable(v).ty.clone();
        let kept = terms::named_after(&mut program, v, "before", ty, at);
        before.push(set(&program, kept, terms::load(&program, v, at)));
        inside.push(set(&program, v, terms::load(&program, kept, at)));
    }
    inside.push(set(&program, hit, terms::int(0, at)));
    inside.extend(body.iter().cloned());
    inside.push(Stmt::new(StmtKind::If(is_hit(&program), rest.clone(), Vec::new()), SiteId(0), at));
    let mut parts = earlier.to_vec();
    parts.push(NormalPart::Straight(before));
    parts.push(NormalPart::Loop(Counted { body: inside, ..search.clone() }));
    let found = Normal { program: program.clone(), parts, abstracted: normal.abstracted.clone() };

    let mut parts = earlier.to_vec();
    parts.push(NormalPart::Straight(vec![set(&program, hit, terms::int(0, at))]));
    parts.push(NormalPart::Loop(Counted { body, ..search.clone() }));
    let mut missed = vec![set(&program, flags.first, terms::int(0, at))];
    missed.extend(rest.iter().cloned());
    let missed = Stmt::new(StmtKind::If(is_hit(&program).negated(), missed, Vec::new()), SiteId(0), at);
    parts.push(NormalPart::Straight(vec![missed]));
    let missed = Normal { program, parts, abstracted: normal.abstracted.clone() };
    Some(Halves { found, missed })
}

/// What a search writes.
struct Flags {
    /// The variables that an iteration leaves for the next one, or for the code after the loop.
    all: BTreeSet<VarId>,
    /// The flag that every hit sets; it was 0.
    first: VarId,
}

impl Flags {
    fn of(normal: &Normal, earlier: &[NormalPart], search: &Counted, rest: &Block) -> Option<Flags> {
        let effects = Effects::of(&search.body);
        let is_scalar = |v: &VarId| normal.program.variable(*v).ty.is_scalar();
        if !effects.writes.iter().all(is_scalar) {
            return None;
        }
        let behind = Effects::of(rest);
        let visible: BTreeSet<VarId> = effects.writes.intersection(&behind.reads).copied().collect();
        let bounds = Effects::of_expr(&terms::and(search.first.clone(), search.bound.clone()));
        if visible.is_empty() || !behind.writes.is_disjoint(&bounds.reads) {
            return None;
        }
        let carried = effects.writes.iter().copied().filter(|&v| !writes_first(&search.body, v));
        let all: BTreeSet<VarId> = visible.iter().copied().chain(carried).collect();
        let is_first = |g: &VarId| {
            let g = *g;
            let mut places = 0;
            if !is_zero_before(earlier, g) || behind.writes.contains(&g) || constant(&search.body, g).is_none() {
                return false;
            }
            if !all_hit(&search.body, &all, g, false, &mut places) {
                return false;
            }
            let reads_none = all.is_disjoint(&effects.reads);
            places == 1 && reads_none || ends_with(&search.body, g) || visible.iter().all(|v| *v == g)
        };
        let first = *all.iter().find(|g| is_first(g))?;
        Some(Flags { all, first })
    }
}

/// Puts a statement after each assignment of a flag.
struct WithHits<'h> {
    flag: VarId,
    hit: &'h Stmt,
}

impl Fold for WithHits<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        self.fold_inside(s, out)?;
        if assigned(s, self.flag).is_some() {
            out.push(self.hit.clone());
        }
        Ok(())
    }
}

/// The expression that a statement assigns to the whole variable.
fn assigned(s: &Stmt, v: VarId) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Assign(l, e) if l.as_var() == Some(v) => Some(e),
        _ => None,
    }
}

/// Whether only one statement writes the variable before the search, no condition guards it, and it
/// sets the variable to 0.
fn is_zero_before(earlier: &[NormalPart], v: VarId) -> bool {
    let mut zeroed = 0;
    let mut writes = 0;
    for part in earlier {
        let block = match part {
            NormalPart::Straight(b) => {
                zeroed += b.iter().filter(|s| assigned(s, v).and_then(Expr::as_int) == Some(0)).count();
                b
            }
            NormalPart::Loop(l) => &l.body,
        };
        each_stmt(block, &mut |s| {
            let is_declaration = matches!(s.kind, StmtKind::Declare(_));
            writes += usize::from(!is_declaration && Effects::of_stmt(s).writes.contains(&v));
        });
    }
    // A declaration after it would make its value unknown. A declaration before it does no harm.
    let declared_last = earlier.iter().rev().find_map(|part| match part {
        NormalPart::Straight(b) => b.iter().rev().find(|s| Effects::of_stmt(s).writes.contains(&v)),
        NormalPart::Loop(_) => None,
    });
    zeroed == 1 && writes == 1 && declared_last.is_some_and(|s| assigned(s, v).is_some())
}

/// The one value, not 0, that all statements that write the variable assign.
fn constant(block: &Block, v: VarId) -> Option<i128> {
    let mut values = Vec::new();
    each_stmt(block, &mut |s| {
        if Effects::of_stmt(s).writes.contains(&v) {
            values.push(assigned(s, v).and_then(Expr::as_int));
        }
    });
    let first = (*values.first()?)?;
    (first != 0 && values.iter().all(|n| *n == Some(first))).then_some(first)
}

/// Whether each list of statements that writes a flag sets `g` too, unless `g` is already not 0.
/// Counts those lists.
fn all_hit(block: &Block, flags: &BTreeSet<VarId>, g: VarId, is_set: bool, places: &mut usize) -> bool {
    let mut writes = false;
    for s in block {
        if let StmtKind::If(c, a, b) = &s.kind {
            let inside = all_hit(a, flags, g, is_set || implies(c, g), places)
                && all_hit(b, flags, g, is_set || implies_not(c, g), places);
            if !inside {
                return false;
            }
        } else {
            writes |= !flags.is_disjoint(&Effects::of_stmt(s).writes);
        }
    }
    *places += usize::from(writes);
    !writes || is_set || block.iter().any(|s| assigned(s, g).is_some())
}

/// Whether the condition holds only where the variable is not 0.
fn implies(c: &Expr, g: VarId) -> bool {
    match &c.kind {
        ExprKind::Load(l) => l.as_var() == Some(g),
        ExprKind::Unary(UnaryOp::Not, a) => implies_not(a, g),
        ExprKind::Binary(BinaryOp::NotEqual, a, b) if b.as_int() == Some(0) => implies(a, g),
        ExprKind::And(a, b) => implies(a, g) || implies(b, g),
        ExprKind::Or(a, b) => implies(a, g) && implies(b, g),
        _ => false,
    }
}

/// Whether the condition fails only where the variable is not 0.
fn implies_not(c: &Expr, g: VarId) -> bool {
    match &c.kind {
        ExprKind::Unary(UnaryOp::Not, a) => implies(a, g),
        ExprKind::Binary(BinaryOp::Equal, a, b) if b.as_int() == Some(0) => implies(a, g),
        ExprKind::And(a, b) => implies_not(a, g) && implies_not(b, g),
        ExprKind::Or(a, b) => implies_not(a, g) || implies_not(b, g),
        _ => false,
    }
}

/// Whether an iteration does nothing where `g` is not 0.
fn ends_with(body: &Block, g: VarId) -> bool {
    match &body[..] {
        [Stmt { kind: StmtKind::If(c, _, otherwise), .. }] => otherwise.is_empty() && fails_with(c, g),
        _ => false,
    }
}

/// Whether the condition fails where the variable is not 0.
fn fails_with(c: &Expr, g: VarId) -> bool {
    match &c.kind {
        ExprKind::Unary(UnaryOp::Not, a) => holds_with(a, g),
        ExprKind::Binary(BinaryOp::Equal, a, b) if b.as_int() == Some(0) => holds_with(a, g),
        ExprKind::And(a, b) => fails_with(a, g) || fails_with(b, g),
        _ => false,
    }
}

/// Whether the condition holds where the variable is not 0.
fn holds_with(c: &Expr, g: VarId) -> bool {
    match &c.kind {
        ExprKind::Load(l) => l.as_var() == Some(g),
        ExprKind::Binary(BinaryOp::NotEqual, a, b) if b.as_int() == Some(0) => holds_with(a, g),
        ExprKind::Or(a, b) => holds_with(a, g) || holds_with(b, g),
        _ => false,
    }
}
