//! The normal form: straight code and loops that count.

use super::super::{Refusal, terms};
use crate::program::{
    AssertionId, BinaryOp, Block, Expr, Fold, Location, Loop, LoopId, LoopKind, Program, SiteId, Stmt, StmtKind, VarId,
};
use std::convert::Infallible;

/// A program in normal form, for one assertion.
#[derive(Clone, Debug)]
pub struct Normal {
    /// The variables, types and sources. The body of its entry is no longer the program: `parts`
    /// is.
    pub program: Program,
    /// What runs, in order; two straight parts never stand side by side.
    pub parts: Vec<NormalPart>,
    /// Loops that were replaced by arbitrary values for all that they write, and the reasons.
    pub abstracted: Vec<Refusal>,
}

impl Normal {
    /// The normal form as a program, including its loops.
    pub fn to_program(&self) -> Program {
        let mut program = self.program.clone();
        let mut body = Block::new();
        for part in &self.parts {
            match part {
                NormalPart::Straight(block) => body.extend(block.iter().cloned()),
                NormalPart::Loop(l) => l.write(&program, &mut body),
            }
        }
        let entry = program.entry.0 as usize;
        program.functions[entry].body = Some(body);
        program
    }

    /// One normal form for each part that contains the assertion. Each is the program up to that
    /// part, without the earlier places of the assertion.
    ///
    /// The assertion holds if it holds in all of them: a run that fails first in some part has
    /// passed the assertion in the earlier parts.
    pub fn instances(&self, assertion: AssertionId) -> Vec<Normal> {
        let without = |part: &NormalPart| match part {
            NormalPart::Straight(b) => NormalPart::Straight(without(b, assertion)),
            NormalPart::Loop(l) => NormalPart::Loop(Counted { body: without(&l.body, assertion), ..l.clone() }),
        };
        let contains = |part: &NormalPart| match part {
            NormalPart::Straight(b) | NormalPart::Loop(Counted { body: b, .. }) => terms::asserts(b, assertion),
        };
        let here = (0..self.parts.len()).filter(|&n| contains(&self.parts[n]));
        let upto = |n: usize| {
            let mut parts: Vec<NormalPart> = self.parts[..n].iter().map(without).collect();
            parts.push(self.parts[n].clone());
            Normal { parts, ..self.clone() }
        };
        here.map(upto).collect()
    }
}

impl Counted {
    /// The loop as statements.
    fn write(&self, program: &Program, out: &mut Block) {
        let (at, site) = (self.location, SiteId(0));
        let counter = || terms::load(program, self.counter, at);
        let ty = counter().ty.clone();
        let condition = terms::compare(self.relation, counter(), self.bound.clone());
        let step = match ty.as_int() {
            Some(kind) => Expr::binary(BinaryOp::Add, counter(), Expr::int(self.step, kind, at), ty),
            None => counter(),
        };
        let step = vec![terms::set(program, self.counter, step, site, at)];
        let looped = Loop { id: self.id, kind: LoopKind::For, condition, body: self.body.clone(), step };
        out.push(terms::set(program, self.counter, self.first.clone(), site, at));
        out.push(Stmt::new(StmtKind::Loop(Box::new(looped)), site, at));
    }
}

/// A piece of the program.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a program has a handful of parts")]
pub enum NormalPart {
    /// Statements without loops: `Declare`, `Assign`, `Input`, `Zero`, `Havoc`, `If`, `Assume`,
    /// `Assert`, `Skip`.
    Straight(Block),
    /// A loop.
    Loop(Counted),
}

/// A loop that counts: `for (counter = first; counter relation bound; counter += step) body`.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Which loop of the source.
    pub id: LoopId,
    /// Where it stands.
    pub location: Location,
    /// Changed by the loop's step alone. If the source reads it after the loop, the next straight
    /// part first assigns the variable that is read.
    pub counter: VarId,
    /// Its first value; reads nothing that the body writes.
    pub first: Expr,
    /// `<` or `<=` with a positive step; `>` or `>=` with a negative one. The last addition does
    /// not overflow.
    pub relation: BinaryOp,
    /// Reads nothing that the body writes.
    pub bound: Expr,
    /// Not 0.
    pub step: i128,
    /// Statements as in [`NormalPart::Straight`].
    pub body: Block,
    /// The location at which the source leaves the loop early, if it does. The body then does
    /// nothing in the iterations that the source does not run.
    pub exit: Option<Location>,
}

/// Removes an assertion.
struct Without(AssertionId);

impl Fold for Without {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::Assert(_, id) if *id == self.0 => Ok(()),
            _ => self.fold_inside(s, out),
        }
    }
}

fn without(block: &Block, assertion: AssertionId) -> Block {
    Without(assertion).rebuilt(block)
}
