//! Guesses what holds at the head of a loop, and keeps the guesses that are inductive (Flanagan,
//! Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001).
//!
//! A guess compares the state at the head of a loop with the state before the loop, says how terms
//! of the condition are ordered there, or is a formula that [`super::proposals`] proposes. It is
//! known at the head under a flag, a boolean constant of its own. For each guess there are
//! questions: that it holds where a run comes to the head first, and wherever an iteration ends.
//! All flags are set at first; the flag of a guess for which some question has no proof is cleared,
//! until every question that is left has one.
//!
//! **Why this is sound.** Suppose that the guesses that are left are false somewhere, and take the
//! first moment of a run at which a head is reached and one of its guesses is false. At all heads
//! before, the guesses were true, so the path to this moment has values for which the flags are
//! set. Then the question about this guess had no proof.

use super::claims::Reading;
use super::state::{Part, Region, State, Symbols, kind_of, plus};
use super::values::Evaluation;
use crate::program::{
    Base, BinaryOp, Expr, ExprKind, Formula, Loop, LoopKind, Lvalue, Program, Step, Stmt, StmtKind, Type, VarId,
    each_stmt,
};
use crate::smt::{self, Term};
use std::collections::HashSet;

/// The greatest number of guesses in a program.
pub(super) const MOST: usize = 300;

/// What may hold whenever a run is at the head of a loop.
#[derive(Clone, Debug)]
pub(super) enum Guess {
    /// The variable is at least (`true`) or at most what it was before the loop.
    Moved(VarId, bool),
    /// `a <= b + slack`
    Ordered(Box<Expr>, Box<Expr>, i128),
    /// A formula about the state at the head.
    Proposed(Formula),
    /// The elements of the region below (`true`) or above an index are those from before the loop.
    /// The index is the variable, before the loop or now, plus a number; it is one of the elements
    /// if `included`.
    Kept {
        /// Where the elements are.
        region: Region,
        /// Whether these are the elements below.
        below: bool,
        /// The variable.
        counter: VarId,
        /// Whether its value before the loop counts.
        before: bool,
        /// What is added to it.
        offset: i128,
        /// Whether the element at the index itself is one of them.
        included: bool,
    },
}

impl Guess {
    /// How many quantifiers it nests, apart from those of what a loop leaves alone.
    pub(super) fn depth(&self) -> usize {
        match self {
            Guess::Proposed(formula) => formula.depth(),
            Guess::Moved(..) | Guess::Ordered(..) | Guess::Kept { .. } => 0,
        }
    }
}

/// The guesses for a loop.
pub(super) fn guesses(l: &Loop, s: &Stmt) -> Vec<Guess> {
    let mut found = Vec::new();
    let steps = steps(s);
    for (v, up) in &steps {
        found.push(Guess::Moved(*v, *up));
    }
    if l.kind != LoopKind::DoWhile {
        ordered(&l.condition, &mut found);
    }
    let mut writes: Vec<(Region, VarId, i128)> = Vec::new();
    for block in s.blocks() {
        each_stmt(block, &mut |s| {
            let to = match &s.kind {
                StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Havoc(l) => l,
                _ => return,
            };
            if let Some(write) = written(to)
                && !writes.contains(&write)
            {
                writes.push(write);
            }
        });
    }
    for (region, counter, offset) in writes {
        let Some((_, up)) = steps.iter().find(|(v, _)| *v == counter) else { continue };
        let kept =
            |before, below, included| Guess::Kept { region: region.clone(), below, counter, before, offset, included };
        // Those that it has not come to, and those from which it started.
        found.push(kept(false, !up, true));
        found.push(kept(true, *up, false));
    }
    found
}

/// The variables that the loop moves by constants, always in one direction: up (`true`) or down.
fn steps(s: &Stmt) -> Vec<(VarId, bool)> {
    let mut found: Vec<(VarId, Option<bool>)> = Vec::new();
    for block in s.blocks() {
        each_stmt(block, &mut |s| {
            let (l, direction) = match &s.kind {
                StmtKind::Assign(l, e) => (l, l.as_var().and_then(|v| direction(v, e))),
                StmtKind::Input(l, _) | StmtKind::Havoc(l) | StmtKind::Zero(l) => (l, None),
                _ => return,
            };
            let Some(v) = l.as_var().filter(|_| matches!(l.ty, Type::Int(_))) else { return };
            match found.iter_mut().find(|f| f.0 == v) {
                Some((_, known)) if *known == direction => {}
                Some((_, known)) => *known = None,
                None => found.push((v, direction)),
            }
        });
    }
    found.into_iter().filter_map(|(v, up)| Some((v, up?))).collect()
}

/// Whether `e` is `v` plus a positive constant (`true`), or minus one.
pub(super) fn direction(v: VarId, e: &Expr) -> Option<bool> {
    let (other, offset) = moved(e)?;
    (other == v && offset != 0).then_some(offset > 0)
}

/// The variable and the number of which an expression is the sum.
pub(super) fn moved(e: &Expr) -> Option<(VarId, i128)> {
    match &e.kind {
        ExprKind::Load(l) => Some((l.as_var()?, 0)),
        ExprKind::Cast(a) if e.ty.as_int().is_some() => moved(a),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let number = |e: &Expr| e.without_integer_casts().as_int();
            match (op, number(a), number(b)) {
                (BinaryOp::Add, _, Some(n)) => moved(a).map(|(v, m)| (v, m + n)),
                (BinaryOp::Add, Some(n), _) => moved(b).map(|(v, m)| (v, m + n)),
                (_, _, Some(n)) => moved(a).map(|(v, m)| (v, m - n)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The variables that are declared inside of a loop.
pub(super) fn declared(s: &Stmt) -> HashSet<VarId> {
    let mut found = HashSet::new();
    for block in s.blocks() {
        each_stmt(block, &mut |s| {
            if let StmtKind::Declare(v) = s.kind {
                found.insert(v);
            }
        });
    }
    found
}

/// The comparisons of a condition, as they hold at the head of every iteration and after the last.
fn ordered(condition: &Expr, found: &mut Vec<Guess>) {
    match &condition.kind {
        ExprKind::And(a, b) => {
            ordered(a, found);
            ordered(b, found);
        }
        ExprKind::Binary(op, a, b) if matches!(a.ty, Type::Int(_)) => match op {
            BinaryOp::Less => found.push(Guess::Ordered(a.clone(), b.clone(), 0)),
            BinaryOp::Greater => found.push(Guess::Ordered(b.clone(), a.clone(), 0)),
            BinaryOp::LessEqual => found.push(Guess::Ordered(a.clone(), b.clone(), 1)),
            BinaryOp::GreaterEqual => found.push(Guess::Ordered(b.clone(), a.clone(), 1)),
            BinaryOp::NotEqual => {
                found.push(Guess::Ordered(a.clone(), b.clone(), 0));
                found.push(Guess::Ordered(b.clone(), a.clone(), 0));
            }
            _ => {}
        },
        _ => {}
    }
}

/// The region of one written element, with its first index as a variable plus a number.
fn written(l: &Lvalue) -> Option<(Region, VarId, i128)> {
    let Base::Var(v) = l.base else { return None };
    let (mut parts, mut first) = (Vec::new(), None);
    for step in &l.path {
        parts.push(match step {
            Step::Index(index) => {
                first.get_or_insert(moved(index)?);
                Part::Elements
            }
            Step::Field(id, n) => Part::Member(*id, *n),
        });
    }
    let (counter, offset) = first?;
    matches!(l.ty, Type::Int(_)).then_some(((v, parts), counter, offset))
}

/// The truth of a guess in a state `now`, where `entry` is the state before the loop.
pub(super) fn guessed(
    guess: &Guess,
    program: &Program,
    symbols: &mut Symbols,
    entry: &State,
    now: &State,
) -> Option<Term> {
    let at_most = |a: Term, b: Term| a.int_order(smt::Order::LessEqual, b);
    let mut scalar = |v: VarId, state: &State| {
        let kind = program.variable(v).ty.as_int()?;
        Some(symbols.value(state, &(v, Vec::new()), kind, program.data_model))
    };
    match guess {
        Guess::Moved(v, up) => {
            let (old, new) = (scalar(*v, entry)?, scalar(*v, now)?);
            Some(if *up { at_most(old, new) } else { at_most(new, old) })
        }
        Guess::Ordered(a, b, slack) => {
            let mut value = |e: &Expr| Evaluation::new(program, symbols, now).value(e).ok().map(|value| value.term);
            let (a, b) = (value(a)?, value(b)?);
            Some(at_most(a, plus(b, Term::int(*slack))))
        }
        Guess::Proposed(formula) => Reading::new(program, symbols, now).formula(formula),
        Guess::Kept { region, below, counter, before, offset, included } => {
            let index = scalar(*counter, if *before { entry } else { now })?;
            let index = plus(index, Term::int(*offset));
            let kind = kind_of(program, region)?;
            let mut contents = |state| symbols.named(state, region, kind, program.data_model);
            let (old, new) = (contents(entry), contents(now));
            if old.name() == new.name() {
                return Some(Term::bool(true));
            }
            let symbol = symbols.symbol();
            let k = Term::bound(&symbol);
            let order = if *included { smt::Order::LessEqual } else { smt::Order::Less };
            let outside = match below {
                true => k.clone().int_order(order, index),
                false => index.int_order(order, k.clone()),
            };
            let same = new.term.select(k.clone()).equals(old.term.select(k));
            Some(outside.implies(same).for_all(symbol))
        }
    }
}
