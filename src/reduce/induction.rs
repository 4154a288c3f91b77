//! What is claimed at the heads of loops, as programs that a model checker can be asked about.
//!
//! [`asserted`] is the program with the claims as assertions: whatever a run of it fails is false.
//!
//! [`step`] is a program without loops that says whether the claims can be shown by induction, each loop on its own, as a deductive verifier
//! would (Floyd, "Assigning meanings to programs", 1967): in the place of a loop stands
//!
//! ```c
//! assert(claims);          // they are established
//! havoc(what the loop may change);
//! assume(claims);          // any state at the head, as far as the claims know
//! if (condition) {
//!     body; step;
//!     assert(claims);      // they are preserved
//!     assume(0);
//! }
//! ```
//!
//! **Meaning.** What is established and preserved in all runs of that program holds in all runs of the original. The other way round nothing follows:
//! true claims may not know enough of a state to be preserved.
//!
//! **Limits.** Loops that jumps enter, or make, and loops that change pointers or write through pointers that may point to several objects, are refused.

use super::normal::{jumps_back_or_into_loops, without_pointers};
use super::{Refusal, terms};
use crate::program::{
    Assertion, AssertionId, Base, Block, Claim, ClaimRole, Formula, LabelId, Location, Loop, LoopId, LoopKind, Lvalue,
    Obligation, ObligationKey, ObligationKind, Part, Program, SiteId, Step, Stmt, StmtKind, Type, Use, VarId,
    each_part, each_stmt,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is claimed at the head of a loop, by the address of the loop statement: the number of the loop that it is a copy of, and the formulas with
/// their numbers.
pub type Claims = HashMap<usize, (usize, Vec<(usize, Formula)>)>;

/// What an assertion of an [`Asked`] program is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct About {
    /// The loop.
    pub number: usize,
    /// The formula.
    pub formula: usize,
    /// Whether it is about the state after an iteration, not before the first; `false` in [`asserted`].
    pub preserved: bool,
}

/// A program with assertions about claims.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The program.
    pub program: Program,
    /// What to ask.
    pub obligations: Vec<Obligation>,
    /// What each of them is about.
    pub about: BTreeMap<ObligationKey, About>,
}

/// The program with the claims of its entry as assertions. Runs go on where one fails.
pub fn asserted(program: &Program, claims: &Claims) -> Asked {
    let mut maker = Maker::new(program, claims);
    let body = program.function(program.entry).body.as_ref().map(|b| maker.numbered(b));
    let body = body.map(|b| maker.heads(&b));
    maker.asked(body)
}

/// The program without loops that says which claims can be shown by induction.
///
/// # Errors
/// Why that cannot be asked about this program.
pub fn step(program: &Program, claims: &Claims) -> Result<Asked, Refusal> {
    let mut maker = Maker::new(program, claims);
    let Some(body) = program.function(program.entry).body.as_ref().map(|b| maker.numbered(b)) else {
        return Err(Refusal::of_all("there is no program"));
    };
    if jumps_back_or_into_loops(&body) {
        return Err(Refusal::of_all("a jump goes backward or into a loop"));
    }
    // Claims speak of pointers too, so they are part of the program while it loses them.
    let body = maker.marked(&body);
    let body = without_pointers(&mut maker.program, body);
    let body = maker.unmarked(&body);
    let body = maker.block(&body)?;
    Ok(maker.asked(Some(body)))
}

struct Maker<'c> {
    program: Program,
    claims: &'c Claims,
    /// The claims of the loops, which have numbers of their own now.
    of: HashMap<LoopId, (usize, Vec<(usize, Formula)>)>,
    assertions: HashMap<About, AssertionId>,
    obligations: Vec<Obligation>,
    /// Where `break` and `continue` go.
    exits: Vec<(LabelId, LabelId)>,
}

impl<'c> Maker<'c> {
    fn new(program: &Program, claims: &'c Claims) -> Self {
        Maker {
            program: program.clone(),
            claims,
            of: HashMap::new(),
            assertions: HashMap::new(),
            obligations: Vec::new(),
            exits: Vec::new(),
        }
    }

    fn asked(self, body: Option<Block>) -> Asked {
        let Maker { mut program, assertions, obligations, .. } = self;
        let entry = program.entry.0 as usize;
        program.functions[entry].body = body;
        let about = assertions.into_iter().map(|(about, id)| (ObligationKey::Assertion(id), about)).collect();
        Asked { program, obligations, about }
    }

    /// The block with a number of its own for each loop; the claims are known by it from then on.
    fn numbered(&mut self, block: &Block) -> Block {
        let mut out = Block::new();
        for s in block {
            let kind = match &s.kind {
                StmtKind::If(c, a, b) => StmtKind::If(c.clone(), self.numbered(a), self.numbered(b)),
                StmtKind::Block(b) => StmtKind::Block(self.numbered(b)),
                StmtKind::Loop(l) => {
                    let id = LoopId(self.program.counters.loops);
                    self.program.counters.loops += 1;
                    if let Some(claimed) = self.claims.get(&std::ptr::from_ref(s).addr()) {
                        self.of.insert(id, claimed.clone());
                    }
                    let (body, step) = (self.numbered(&l.body), self.numbered(&l.step));
                    StmtKind::Loop(Box::new(Loop { id, body, step, ..(**l).clone() }))
                }
                kind => kind.clone(),
            };
            out.push(Stmt { kind, ..*s });
        }
        out
    }

    fn stmt(&mut self, kind: StmtKind, location: Location) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        Stmt { kind, site, location }
    }

    fn label(&mut self) -> LabelId {
        let label = LabelId(self.program.counters.labels);
        self.program.counters.labels += 1;
        label
    }

    /// The claims of a loop as assertions.
    fn checks(&mut self, l: &Loop, preserved: bool, at: Location) -> Block {
        let Some((number, formulas)) = self.of.get(&l.id).cloned() else { return Block::new() };
        let mut out = Block::new();
        for (formula, claimed) in formulas {
            let about = About { number, formula, preserved };
            let id = match self.assertions.get(&about) {
                Some(id) => *id,
                None => self.assertion(about, at),
            };
            let claim = Claim { formula: claimed, role: ClaimRole::Check(id) };
            out.push(self.stmt(StmtKind::Claim(Box::new(claim)), at));
        }
        out
    }

    fn assertion(&mut self, about: About, location: Location) -> AssertionId {
        let id = AssertionId(u32::try_from(self.program.assertions.len()).unwrap_or(u32::MAX));
        self.assertions.insert(about, id);
        let part = if about.preserved { "preserved" } else { "head" };
        let name = format!("loop.{}.{}.{part}", about.number + 1, about.formula + 1);
        self.program.assertions.push(Assertion {
            id: name.clone(),
            function: String::new(),
            location,
            condition: String::new(),
            failure: None,
            unsupported: None,
        });
        self.obligations.push(Obligation {
            key: ObligationKey::Assertion(id),
            id: name,
            kind: ObligationKind::Assertion,
            location,
            function: String::new(),
            condition: String::new(),
            unsupported: None,
        });
        id
    }

    /// The block with assertions at the heads of its loops.
    fn heads(&mut self, block: &Block) -> Block {
        let mut out = Block::new();
        for s in block {
            let kind = match &s.kind {
                StmtKind::If(c, a, b) => StmtKind::If(c.clone(), self.heads(a), self.heads(b)),
                StmtKind::Block(b) => StmtKind::Block(self.heads(b)),
                StmtKind::Loop(l) => {
                    let (mut body, mut step) = (self.heads(&l.body), self.heads(&l.step));
                    let checks = self.checks(l, false, s.location);
                    if l.kind == LoopKind::DoWhile {
                        body = checks.into_iter().chain(body).collect();
                    } else {
                        out.extend(checks.iter().cloned());
                        step.extend(checks);
                    }
                    StmtKind::Loop(Box::new(Loop { body, step, ..(**l).clone() }))
                }
                kind => kind.clone(),
            };
            out.push(Stmt { kind, ..*s });
        }
        out
    }

    /// The block with what is claimed of each loop at the beginning of its body.
    fn marked(&mut self, block: &Block) -> Block {
        self.each_loop(block, &mut |maker, mut l, at| {
            let formulas = maker.of.get(&l.id).map(|(_, f)| f.clone()).unwrap_or_default();
            let claim = |(_, formula)| StmtKind::Claim(Box::new(Claim { formula, role: ClaimRole::Assume }));
            let claims: Block = formulas.into_iter().map(|f| maker.stmt(claim(f), at)).collect();
            l.body.splice(0..0, claims);
            l
        })
    }

    /// Takes them out again, as they have become.
    fn unmarked(&mut self, block: &Block) -> Block {
        self.each_loop(block, &mut |maker, mut l, _| {
            if let Some((_, formulas)) = maker.of.get_mut(&l.id) {
                let end = formulas.len().min(l.body.len());
                for ((_, formula), s) in formulas.iter_mut().zip(l.body.drain(..end)) {
                    if let StmtKind::Claim(claim) = s.kind {
                        *formula = claim.formula;
                    }
                }
            }
            l
        })
    }

    /// The block with each loop, inner ones first, replaced.
    fn each_loop(&mut self, block: &Block, replace: &mut dyn FnMut(&mut Self, Loop, Location) -> Loop) -> Block {
        let mut out = Block::new();
        for s in block {
            let kind = match &s.kind {
                StmtKind::If(c, a, b) => {
                    StmtKind::If(c.clone(), self.each_loop(a, replace), self.each_loop(b, replace))
                }
                StmtKind::Block(b) => StmtKind::Block(self.each_loop(b, replace)),
                StmtKind::Loop(l) => {
                    let (body, step) = (self.each_loop(&l.body, replace), self.each_loop(&l.step, replace));
                    let l = Loop { body, step, ..(**l).clone() };
                    StmtKind::Loop(Box::new(replace(self, l, s.location)))
                }
                kind => kind.clone(),
            };
            out.push(Stmt { kind, ..*s });
        }
        out
    }

    /// The block without loops.
    fn block(&mut self, block: &Block) -> Result<Block, Refusal> {
        let mut out = Block::new();
        for s in block {
            let kind = match &s.kind {
                StmtKind::If(c, a, b) => StmtKind::If(c.clone(), self.block(a)?, self.block(b)?),
                StmtKind::Block(b) => StmtKind::Block(self.block(b)?),
                StmtKind::Loop(l) => {
                    self.without_loop(s, l, &mut out)?;
                    continue;
                }
                StmtKind::Break => self.exits.last().map_or(StmtKind::Break, |(after, _)| StmtKind::Goto(*after)),
                StmtKind::Continue => self.exits.last().map_or(StmtKind::Continue, |(_, next)| StmtKind::Goto(*next)),
                StmtKind::Call { .. } => return Err(Refusal::at(s.location, "a call is not followed")),
                StmtKind::HavocReachable(_) => {
                    return Err(Refusal::at(s.location, "what memory holds after this is not known"));
                }
                kind => kind.clone(),
            };
            out.push(Stmt { kind, ..*s });
        }
        Ok(out)
    }

    fn without_loop(&mut self, s: &Stmt, l: &Loop, out: &mut Block) -> Result<(), Refusal> {
        let at = s.location;
        out.extend(self.checks(l, false, at));
        for target in self.changed(l, at)? {
            out.push(self.stmt(StmtKind::Havoc(target), at));
        }
        for (_, formula) in self.of.get(&l.id).map(|(_, f)| f.clone()).unwrap_or_default() {
            let claim = Claim { formula, role: ClaimRole::Assume };
            out.push(self.stmt(StmtKind::Claim(Box::new(claim)), at));
        }
        let (after, next) = (self.label(), self.label());
        self.exits.push((after, next));
        let body = self.block(&l.body);
        self.exits.pop();
        let mut iteration = body?;
        iteration.push(self.stmt(StmtKind::Label(next, String::new()), at));
        iteration.extend(self.block(&l.step)?);
        let mut last = self.checks(l, true, at);
        last.push(self.stmt(StmtKind::Assume(terms::int(0, at)), at));
        if l.kind == LoopKind::DoWhile {
            // Its head is where the body begins; then comes the test.
            out.push(self.stmt(StmtKind::Block(iteration), at));
            out.push(self.stmt(StmtKind::If(l.condition.clone(), last, Block::new()), at));
        } else {
            iteration.extend(last);
            out.push(self.stmt(StmtKind::If(l.condition.clone(), iteration, Block::new()), at));
        }
        out.push(self.stmt(StmtKind::Label(after, String::new()), at));
        Ok(())
    }

    /// What a loop may change of what is there at its head: whole arrays, and single members of variables.
    fn changed(&self, l: &Loop, at: Location) -> Result<Vec<Lvalue>, Refusal> {
        let mut inside: HashSet<VarId> = HashSet::new();
        let mut writes: Vec<&Lvalue> = Vec::new();
        for block in [&l.body, &l.step] {
            each_stmt(block, &mut |s| {
                if let StmtKind::Declare(v) = s.kind {
                    inside.insert(v);
                }
                each_part(s, &mut |part| {
                    if let Part::Lvalue(l, Use::Write) = part {
                        writes.push(l);
                    }
                });
            });
        }
        let mut found: Vec<Lvalue> = Vec::new();
        for write in writes {
            let Base::Var(v) = write.base else {
                return Err(Refusal::at(at, "a loop writes through a pointer"));
            };
            if inside.contains(&v) {
                continue;
            }
            let fields = write.path.iter().take_while(|s| matches!(s, Step::Field(..)));
            let mut whole = Lvalue::var(&self.program, v, at);
            for field in fields {
                let (Step::Field(id, n), Type::Struct(_)) = (field, &whole.ty) else { break };
                let structure = self.program.structure(*id);
                // The other members of a union change too.
                let Some(member) = structure.members.get(*n as usize).filter(|_| !structure.is_union) else { break };
                whole.ty = member.ty.clone();
                whole.path.push(Step::Field(*id, *n));
            }
            if self.program.holds_pointers(&whole.ty) {
                return Err(Refusal::at(at, "a loop changes a pointer"));
            }
            if !found.iter().any(|other| other.base == whole.base && other.path == whole.path) {
                found.push(whole);
            }
        }
        Ok(found)
    }
}
