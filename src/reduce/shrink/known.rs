//! What is known of the states in which iterations of residual loops begin (Kumar 2019, 6.5).
//!
//! The states at the beginning of the iteration that stands for iteration `j`, in the residual of whatever sequence, are
//! `φ_1 = φ` and `φ_j = sp(S_(j-1), φ_(j-1)) ∪ φ_(j-1)`: those that the loop reaches whose iterations may each be left out. So what holds
//! wherever that loop is about to test its condition, with the number `j`, holds in `φ_j`. The facts are about runs without undefined
//! behaviour; from a state that a run with some has reached, nothing fails (see [`super::runs`]), so nothing is lost with it.

use super::super::terms;
use super::affine::WIDE;
use super::form::Form;
use crate::analysis::ScalarFact;
use crate::program::{
    AssertionId, BinaryOp, Block, Expr, IntKind, Location, Loop, LoopId, LoopKind, Program, SiteId, Stmt, StmtKind,
    Type, VarId,
};
use smalti_core::Relation;

/// No factor of a variable is larger.
const LARGEST_FACTOR: i128 = 1 << 20;
/// More variables than this are not added up: sums stay below 2^62.
const MOST_TERMS: usize = 16;
/// No constant is larger.
const LARGEST_CONSTANT: i128 = 1 << 60;

impl Form {
    /// The program whose loop, with that number, reaches at its tests all states of `φ_j`, `position` being `j`.
    pub fn skipping(&self) -> (Program, LoopId) {
        let mut program = self.program.clone();
        let (at, site) = (self.low.location, SiteId(0));
        let id = LoopId(program.counters.loops);
        program.counters.loops += 1;
        let runs = terms::fresh(&mut program, "runs", Type::INT, at);
        let position = || terms::load(&self.program, self.position, at);
        let next = Expr::binary(BinaryOp::Add, position(), Expr::int(1, IntKind::LongLong, at), WIDE);
        let iteration =
            terms::stmt(StmtKind::If(terms::load(&program, runs, at), unasserted(&self.body), Vec::new()), site, at);
        let looped = Loop {
            id,
            kind: LoopKind::For,
            condition: terms::compare(BinaryOp::Less, position(), self.high.clone().cast(WIDE)),
            body: vec![terms::draw(&mut program, runs, at), iteration],
            step: vec![terms::set(&program, self.position, next, site, at)],
        };
        let mut body = unasserted(&self.before);
        body.push(terms::set(&program, self.position, self.low.clone(), site, at));
        body.push(terms::stmt(StmtKind::Loop(Box::new(looped)), site, at));
        // What is read behind the loop is kept up to there.
        body.push(terms::draw(&mut program, self.position, at));
        body.extend(unasserted(&self.clause));
        body.extend(unasserted(&self.after));
        let entry = program.entry.0 as usize;
        program.functions[entry].body = Some(body);
        (program, id)
    }

    /// The form with facts about `φ_j` that CBMC may take for granted. Those that it could not compute without overflow are left out.
    pub fn knowing(mut self, facts: &[ScalarFact]) -> Form {
        let at = self.low.location;
        self.known = facts.iter().filter_map(|f| holds(&self.program, f, at)).collect();
        self
    }
}

/// A block without its assertions. What they read is still read.
fn unasserted(block: &Block) -> Block {
    let nothing = |s: &Stmt| vec![Stmt { kind: StmtKind::Skip, ..*s }];
    let one = |s: &Stmt| {
        let kind = match &s.kind {
            StmtKind::Assert(e, AssertionId(_)) => StmtKind::If(e.clone(), nothing(s), Vec::new()),
            StmtKind::If(c, a, b) => StmtKind::If(c.clone(), unasserted(a), unasserted(b)),
            kind => kind.clone(),
        };
        Stmt { kind, ..*s }
    };
    block.iter().map(one).collect()
}

/// The fact as a condition whose evaluation does not overflow.
fn holds(program: &Program, fact: &ScalarFact, at: Location) -> Option<Expr> {
    if fact.constant.abs() > LARGEST_CONSTANT || fact.terms.is_empty() || fact.terms.len() > MOST_TERMS {
        return None;
    }
    let mut narrow = Vec::new();
    // One term of 64 bits stands alone on its side: no sum is made with it.
    let mut alone: Option<(VarId, i128)> = None;
    for &(v, factor) in &fact.terms {
        let kind = program.variable(v).ty.as_int()?;
        if kind.width(program.data_model) <= 32 {
            if factor.abs() > LARGEST_FACTOR {
                return None;
            }
            narrow.push((v, factor));
        } else if kind.is_signed() && factor.abs() == 1 && alone.is_none() {
            alone = Some((v, factor));
        } else {
            return None;
        }
    }
    let op = match fact.relation {
        Relation::NonNegative => BinaryOp::GreaterEqual,
        Relation::Zero => BinaryOp::Equal,
        Relation::NonZero => BinaryOp::NotEqual,
    };
    let negated = |terms: &[(VarId, i128)]| terms.iter().map(|(v, factor)| (*v, -factor)).collect::<Vec<_>>();
    let (left, right) = match alone {
        Some((v, 1)) => (sum(program, &[(v, 1)], 0, at), sum(program, &negated(&narrow), -fact.constant, at)),
        Some((v, _)) => (sum(program, &narrow, fact.constant, at), sum(program, &[(v, 1)], 0, at)),
        None => {
            let (more, less): (Vec<_>, Vec<_>) = narrow.iter().partition(|(_, factor)| *factor > 0);
            let (up, down) = (fact.constant.max(0), (-fact.constant).max(0));
            (sum(program, &more, up, at), sum(program, &negated(&less), down, at))
        }
    };
    Some(terms::compare(op, left, right))
}

/// The sum of products and a constant, in 64 bits.
fn sum(program: &Program, products: &[(VarId, i128)], constant: i128, at: Location) -> Expr {
    let number = |n: i128| Expr::int(n, IntKind::LongLong, at);
    let mut sum = None;
    for &(v, factor) in products {
        let value = terms::load(program, v, at).cast(WIDE);
        let product = |factor: i128| match factor {
            1 => value.clone(),
            _ => Expr::binary(BinaryOp::Mul, number(factor), value.clone(), WIDE),
        };
        sum = Some(match sum {
            None => product(factor),
            Some(sum) if factor < 0 => Expr::binary(BinaryOp::Sub, sum, product(-factor), WIDE),
            Some(sum) => Expr::binary(BinaryOp::Add, sum, product(factor), WIDE),
        });
    }
    match sum {
        None => number(constant),
        Some(sum) if constant == 0 => sum,
        Some(sum) if constant < 0 => Expr::binary(BinaryOp::Sub, sum, number(-constant), WIDE),
        Some(sum) => Expr::binary(BinaryOp::Add, sum, number(constant), WIDE),
    }
}
