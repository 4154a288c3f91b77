//! Reduces a program that shows a bug: statements are removed, branches and loops are replaced by
//! their bodies, and expressions by their parts or by constants, as long as the bug remains
//! (Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, applied to
//! the program instead of its text).

use crate::program::{
    Block, Callee, Expr, ExprKind, Formula, FunctionId, Part, Program, Stmt, StmtKind, Type, Use, VarId, VisitMut,
    each_part, each_stmt,
};
use std::collections::HashSet;
use std::time::Instant;

/// The smallest program found until then for which `shows` still holds. It holds for the given
/// program.
pub fn minimise(program: &Program, until: Instant, mut shows: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut keep = |best: &mut Program, candidate: Program| {
        let better = Instant::now() < until && shows(&candidate);
        if better {
            *best = candidate;
        }
        better
    };
    loop {
        let mut smaller = false;
        let bare = without_what_is_unused(&best);
        if size(&bare) < size(&best) {
            smaller |= keep(&mut best, bare);
        }
        smaller |= fewer_statements(&mut best, until, &mut keep);
        smaller |= simpler(&mut best, until, &mut keep);
        if !smaller || Instant::now() >= until {
            return best;
        }
    }
}

type Keep<'k> = dyn FnMut(&mut Program, Program) -> bool + 'k;

/// Removes runs of statements: half of a block, a quarter of it, single ones.
fn fewer_statements(best: &mut Program, until: Instant, keep: &mut Keep<'_>) -> bool {
    let mut smaller = false;
    let mut number = 0;
    // The numbers of blocks shift when one is removed, so each number is tried until nothing more
    // can be removed.
    while let Some(length) = block(best, number, |b| b.len()) {
        let mut chunk = length;
        while chunk > 0 {
            let mut at = 0;
            while block(best, number, |b| at < b.len()).unwrap_or(false) {
                if Instant::now() >= until {
                    return smaller;
                }
                let mut candidate = best.clone();
                let gone = block(&mut candidate, number, |b| {
                    let end = (at + chunk).min(b.len());
                    // A declaration is removed if nothing names the variable any more.
                    let kept = |s: &Stmt| {
                        matches!(s.kind, StmtKind::Declare(_) | StmtKind::Label(..) | StmtKind::Return(Some(_)))
                    };
                    let before = b.len();
                    let chosen: Vec<Stmt> = b.drain(at..end).filter(kept).collect();
                    b.splice(at..at, chosen);
                    before - b.len()
                });
                if gone.is_some_and(|gone| gone > 0) && keep(best, candidate) {
                    smaller = true;
                } else {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
        number += 1;
    }
    smaller
}

/// Replaces one statement or expression at a time by something simpler.
fn simpler(best: &mut Program, until: Instant, keep: &mut Keep<'_>) -> bool {
    let mut smaller = false;
    for edit in [Edit::Unwrap(0), Edit::Unwrap(1), Edit::Part(0), Edit::Part(1), Edit::Part(2), Edit::Constant] {
        let mut place = 0;
        loop {
            if Instant::now() >= until {
                return smaller;
            }
            let mut candidate = best.clone();
            match apply(&mut candidate, edit, place) {
                Applied::NoSuchPlace => break,
                Applied::Nothing => place += 1,
                // The replacement may be simplified further.
                Applied::Changed if keep(best, candidate) => smaller = true,
                Applied::Changed => place += 1,
            }
        }
    }
    smaller
}

/// A way to make one place simpler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// An `if` becomes one of its branches, and a loop one run of its body.
    Unwrap(usize),
    /// An expression becomes an operand of the same type.
    Part(usize),
    /// An expression becomes 0.
    Constant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Applied {
    NoSuchPlace,
    Nothing,
    Changed,
}

fn apply(program: &mut Program, edit: Edit, place: usize) -> Applied {
    let mut state = Places { edit, left: place, applied: Applied::NoSuchPlace };
    each_body(program, &mut |body| VisitMut::block(&mut state, body));
    state.applied
}

/// Counts down to the place.
struct Places {
    edit: Edit,
    left: usize,
    applied: Applied,
}

impl Places {
    fn is_here(&mut self) -> bool {
        let here = self.applied == Applied::NoSuchPlace && self.left == 0;
        self.left = self.left.saturating_sub(1);
        here
    }
}

impl VisitMut for Places {
    fn block(&mut self, block: &mut Block) {
        let mut n = 0;
        while n < block.len() {
            if self.applied != Applied::NoSuchPlace {
                return;
            }
            if let Edit::Unwrap(which) = self.edit
                && block[n].blocks().next().is_some()
                && self.is_here()
            {
                self.applied = match inside(&block[n], which) {
                    Some(statements) => {
                        block.splice(n..=n, statements);
                        Applied::Changed
                    }
                    None => Applied::Nothing,
                };
                return;
            }
            self.stmt(&mut block[n]);
            n += 1;
        }
    }

    /// Formulas stay as they are.
    fn formula(&mut self, _: &mut Formula) {}

    fn expr(&mut self, e: &mut Expr) {
        if self.applied != Applied::NoSuchPlace {
            return;
        }
        if !matches!(self.edit, Edit::Unwrap(_)) && self.is_here() {
            self.applied = match simplified(e, self.edit) {
                Some(new) => {
                    *e = new;
                    Applied::Changed
                }
                None => Applied::Nothing,
            };
            return;
        }
        self.walk_expr(e);
    }
}

/// The statements inside a statement, if they can replace it.
fn inside(stmt: &Stmt, which: usize) -> Option<Block> {
    match (&stmt.kind, which) {
        (StmtKind::If(_, a, _), 0) => Some(a.clone()),
        (StmtKind::If(_, _, b), 1) => Some(b.clone()),
        (StmtKind::Block(b), 0) => Some(b.clone()),
        (StmtKind::Loop(l), 0) => {
            let mut leaves = false;
            each_stmt(&l.body, &mut |s| leaves |= matches!(s.kind, StmtKind::Break | StmtKind::Continue));
            (!leaves).then(|| l.body.iter().chain(&l.step).cloned().collect())
        }
        _ => None,
    }
}

fn simplified(e: &Expr, edit: Edit) -> Option<Expr> {
    match edit {
        Edit::Unwrap(_) => None,
        Edit::Constant => match (&e.kind, &e.ty) {
            (ExprKind::Int(_), _) => None,
            (_, Type::Int(kind)) => Some(Expr::int(0, *kind, e.location)),
            _ => None,
        },
        Edit::Part(n) => {
            let parts: Vec<&Expr> = match &e.kind {
                ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![a],
                ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => vec![a, b],
                ExprKind::Conditional(c, a, b) => vec![c, a, b],
                _ => Vec::new(),
            };
            parts.get(n).filter(|part| part.ty == e.ty).map(|part| (*part).clone())
        }
    }
}

/// Removes the bodies of functions that nothing calls, declarations of variables that nothing
/// names, and labels that nothing jumps to.
fn without_what_is_unused(program: &Program) -> Program {
    let mut program = program.clone();
    let mut called: HashSet<FunctionId> = HashSet::from([program.entry]);
    let mut named: HashSet<VarId> = HashSet::new();
    let mut targets = HashSet::new();
    let mut visit = |s: &Stmt| {
        if let StmtKind::Call { callee: Callee::Function(f), .. } = &s.kind {
            called.insert(*f);
        }
        if let StmtKind::Goto(label) = &s.kind {
            targets.insert(*label);
        }
        each_part(s, &mut |part| match part {
            Part::Lvalue(l, _) => named.extend(l.as_base()),
            Part::Expr(Expr { kind: ExprKind::FunctionAddress(f), .. }) => _ = called.insert(*f),
            Part::Expr(_) => {}
        });
    };
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|b| each_stmt(b, &mut visit));
    // The type of an array names its length.
    for v in named.clone().into_iter().chain(program.globals.iter().copied()) {
        named.extend(program.variable(v).ty.lengths());
    }
    for (n, function) in program.functions.iter_mut().enumerate() {
        if !called.contains(&FunctionId(n as u32)) {
            function.body = None;
        }
    }
    each_body(&mut program, &mut |body| {
        each_block(body, &mut |block| {
            block.retain(|s| match &s.kind {
                StmtKind::Declare(v) => named.contains(v),
                StmtKind::Label(label, _) => targets.contains(label),
                StmtKind::Skip => false,
                _ => true,
            });
        });
    });
    program.globals.retain(|v| named.contains(v));
    let globals: HashSet<VarId> = program.globals.iter().copied().collect();
    program.initialisers.retain(|s| {
        let mut known = true;
        each_part(s, &mut |part| {
            if let Part::Lvalue(l, Use::Write) = part {
                known &= l.as_base().is_none_or(|v| globals.contains(&v));
            }
        });
        known
    });
    program
}

/// The size of a program: statements and expressions, declarations of globals, bodies of functions.
fn size(program: &Program) -> usize {
    let mut count = program.globals.len() + program.initialisers.len();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        count += 1;
        each_stmt(body, &mut |s| {
            count += 1;
            each_part(s, &mut |_| count += 1);
        });
    }
    count
}

fn each_body(program: &mut Program, f: &mut impl FnMut(&mut Block)) {
    program.functions.iter_mut().filter_map(|function| function.body.as_mut()).for_each(f);
}

/// Calls `f` on every block, inner before outer.
fn each_block(block: &mut Block, f: &mut impl FnMut(&mut Block)) {
    for stmt in block.iter_mut() {
        stmt.blocks_mut().for_each(|inner| each_block(inner, f));
    }
    f(block);
}

/// Applies `f` to the block with this number.
fn block<T>(program: &mut Program, number: usize, f: impl FnOnce(&mut Block) -> T) -> Option<T> {
    let (mut left, mut f, mut result) = (number, Some(f), None);
    each_body(program, &mut |body| {
        each_block(body, &mut |block| {
            if left == 0
                && let Some(f) = f.take()
            {
                result = Some(f(block));
            }
            left = left.saturating_sub(1);
        });
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
    use crate::program::{DataModel, InputId, Location};

    struct Zeros;

    impl Environment for Zeros {
        fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
            0
        }
        fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
            0
        }
        fn havoc(&mut self, _: &Type, _: Location) -> i128 {
            0
        }
    }

    #[test]
    fn what_is_left_still_fails_and_little_else_is_left() {
        let text = "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int); int unused; int twice(int x) { return 2 * x; }
            int never(void) { return 1; }
            int main(void) { int a[4], b = 3, c = twice(b); for (int i = 0; i < 4; i++) { a[i] = i * c; if (i == 2) b = 1; }
              if (c > 1) { unused = a[2]; while (b < 9) b++; c = a[1] + b; } else c = 4;
              __VERIFIER_assert(c == 7 || a[3] == 1); return 0; }";
        let program = super::super::attack::load(text, DataModel::Lp64).unwrap();
        let fails = |p: &Program| {
            let limits = Limits { steps: 10_000, cells: 1 << 12, depth: 20, ..Limits::NONE };
            matches!(interpreter::run(p, &mut Zeros, &mut (), &limits).outcome, Outcome::AssertionFailed(_))
        };
        assert!(fails(&program));
        let small = minimise(&program, Instant::now() + std::time::Duration::from_secs(20), fails);
        assert!(fails(&small));
        assert!(size(&small) <= 7, "{}", crate::program::print::to_c(&small, &mut crate::program::print::Plain));
    }
}
