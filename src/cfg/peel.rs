//! Decides which loops are peeled, and how often.

use crate::program::{
    Base, LabelId, Loop, LoopKind, Part, Program, Step, Stmt, StmtKind, each_part, each_part_of_expr, each_stmt,
};
use std::collections::BTreeMap;

/// How to build a graph.
#[derive(Clone, Copy, Debug)]
pub struct CfgConfig {
    /// How many first iterations of a loop are built as copies ahead of it.
    ///
    /// A loop inside a peeled loop is peeled in each copy, as long as a statement then appears in
    /// the graph at most 8 times. Beyond that, only the outer loop is peeled. A loop with a label
    /// that is the target of a `goto` outside it is not peeled.
    pub peel: u32,
    /// Which loops to peel.
    pub peel_loop: fn(&Program, &Loop) -> bool,
    /// How many statements all copies together may add; a loop whose copies would exceed it gets
    /// fewer.
    pub peel_budget: usize,
}

impl Default for CfgConfig {
    /// One iteration of the loops that [`touches_cells`].
    fn default() -> Self {
        CfgConfig { peel: 1, peel_loop: touches_cells, peel_budget: 100_000 }
    }
}

/// A statement stands in the graph at most this often because of peeling, unless one loop alone is
/// peeled more often.
const MOST_COPIES: u32 = 8;

/// Labels in a piece of a program, and how many jumps in it have each label as their target.
#[derive(Default)]
pub(super) struct Jumps {
    placed: Vec<LabelId>,
    aimed: BTreeMap<LabelId, u32>,
    statements: usize,
}

impl Jumps {
    fn add(&mut self, block: &[Stmt]) {
        each_stmt(block, &mut |s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.statements += 1;
        match stmt.kind {
            StmtKind::Label(label, _) => self.placed.push(label),
            StmtKind::Goto(label) => *self.aimed.entry(label).or_default() += 1,
            _ => {}
        }
    }

    /// The labels and jumps in the body and the step of a loop.
    pub(super) fn inside(details: &Loop) -> Jumps {
        let mut jumps = Jumps::default();
        jumps.add(&details.body);
        jumps.add(&details.step);
        jumps
    }

    /// The labels.
    pub(super) fn labels(&self) -> impl Iterator<Item = LabelId> {
        self.placed.iter().copied()
    }
}

/// How much has been peeled while one graph is built.
pub(super) struct Peeling {
    config: CfgConfig,
    /// The jumps of the whole function.
    all: Jumps,
    /// How many times the statement being built appears in the graph because of the loops around
    /// it.
    copies: u32,
    /// The rest of the budget.
    budget: usize,
}

impl Peeling {
    pub(super) fn new(config: &CfgConfig, body: &[Stmt]) -> Peeling {
        let mut all = Jumps::default();
        all.add(body);
        Peeling { config: *config, all, copies: 1, budget: config.peel_budget }
    }

    /// How many copies the loop gets; [`Peeling::leave`] is called after the loop, with that
    /// number.
    pub(super) fn enter(&mut self, program: &Program, details: &Loop) -> u32 {
        let copies = self.wanted(program, details);
        self.copies = self.copies.saturating_mul(copies.saturating_add(1));
        copies
    }

    pub(super) fn leave(&mut self, copies: u32) {
        self.copies /= copies.saturating_add(1);
    }

    fn wanted(&mut self, program: &Program, details: &Loop) -> u32 {
        let peel = self.config.peel;
        let once = details.kind == LoopKind::DoWhile && details.condition.as_int() == Some(0);
        let nested = self.copies > 1;
        if peel == 0 || once || (nested && self.copies.saturating_mul(peel.saturating_add(1)) > MOST_COPIES) {
            return 0;
        }
        if !(self.config.peel_loop)(program, details) {
            return 0;
        }
        let inside = Jumps::inside(details);
        let aimed_from_outside = inside.labels().any(|label| self.all.aimed.get(&label) > inside.aimed.get(&label));
        if aimed_from_outside {
            return 0;
        }
        let size = inside.statements + 1;
        let copies = u32::try_from(self.budget / size).unwrap_or(u32::MAX).min(peel);
        self.budget -= copies as usize * size;
        copies
    }
}

/// Whether the condition, the body or the step of the loop reads or writes through an index or a
/// pointer. Reads in specifications do not count: they are no reason to analyse an iteration
/// separately.
pub fn touches_cells(_program: &Program, details: &Loop) -> bool {
    let mut found = false;
    let mut look = |part: Part<'_>| {
        if let Part::Lvalue(l, _) = part {
            found |= matches!(l.base, Base::Deref(_)) || l.path.iter().any(|step| matches!(step, Step::Index(_)));
        }
    };
    each_part_of_expr(&details.condition, &mut look);
    for block in [&details.body, &details.step] {
        each_stmt(block, &mut |s| {
            if !matches!(s.kind, StmtKind::Claim(_) | StmtKind::Presume(_)) {
                each_part(s, &mut look);
            }
        });
    }
    found
}
