//! What is known of the states in which iterations of residual loops begin (Kumar 2019, 6.5).
//!
//! Consider the iteration that stands for iteration `j` in the residual of any sequence. The states
//! at its beginning are `φ_1 = φ` and `φ_j = sp(S_(j-1), φ_(j-1)) ∪ φ_(j-1)`. The loop whose
//! iterations may each be left out reaches these states. So what holds whenever that loop is about
//! to test its condition, with the number `j`, holds in `φ_j`. The facts are about runs without
//! undefined behaviour. From a state that a run with some has reached, nothing fails (see
//! [`super::runs`]), so nothing is lost.

use super::super::effects::Effects;
use super::super::terms;
use super::form::Form;
use super::form::WIDE;
use crate::program::{
    BinaryOp, Block, Expr, Fold, IntKind, Loop, LoopId, LoopKind, Program, SiteId, Stmt, StmtKind, Type, VarId,
};
use std::convert::Infallible;

impl Form {
    /// The program whose loop, with that number, reaches at its tests all states of `φ_j`;
    /// `position` is `j`.
    pub fn skipping(&self) -> (Program, LoopId) {
        let mut program = self.program.clone();
        let (at, site) = (self.low.location, SiteId(0));
        let id = LoopId(program.counters.loops);
        program.counters.loops += 1;
        let runs = terms::fresh(&mut program, "runs", Type::INT, at);
        let position = || terms::load(&self.program, self.position, at);
        let next = Expr::binary(BinaryOp::Add, position(), Expr::int(1, IntKind::LongLong, at), WIDE);
        let iteration =
            Stmt::new(StmtKind::If(terms::load(&program, runs, at), unasserted(&self.body), Vec::new()), site, at);
        let looped = Loop {
            id,
            kind: LoopKind::For,
            condition: terms::compare(BinaryOp::Less, position(), self.high.clone().cast(WIDE)),
            body: vec![terms::draw(&mut program, runs, at), iteration],
            step: vec![terms::set(&program, self.position, next, site, at)],
        };
        let mut body = unasserted(&self.before);
        body.push(terms::set(&program, self.position, self.low.clone(), site, at));
        body.push(Stmt::new(StmtKind::Loop(Box::new(looped)), site, at));
        // Values that are read after the loop are kept up to there.
        body.push(terms::draw(&mut program, self.position, at));
        body.extend(unasserted(&self.clause));
        body.extend(unasserted(&self.after));
        let entry = program.entry.0 as usize;
        program.functions[entry].body = Some(body);
        (program, id)
    }

    /// The form with conditions that hold in `φ_j`, and are evaluated there without undefined
    /// behaviour. Conditions on variables that only the program of [`Form::skipping`] has are left
    /// out.
    pub fn knowing(self, known: Vec<Expr>) -> Form {
        let ours = |v: VarId| (v.0 as usize) < self.program.variables.len();
        let is_ours = |e: &Expr| {
            let Effects { reads, .. } = Effects::of_expr(e);
            reads.into_iter().all(ours)
        };
        let known = known.into_iter().filter(is_ours).collect();
        Form { known, ..self }
    }
}

/// A block without its assertions. Their operands are still read.
fn unasserted(block: &Block) -> Block {
    Unasserted.rebuilt(block)
}

struct Unasserted;

impl Fold for Unasserted {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let StmtKind::Assert(e, _) = &s.kind else { return self.fold_inside(s, out) };
        let nothing = vec![s.with(StmtKind::Skip)];
        out.push(s.with(StmtKind::If(e.clone(), nothing, Vec::new())));
        Ok(())
    }
}
