//! Turns the claims at the heads of loops into programs that a model checker can be asked about.
//!
//! [`asserted`] is the program with the claims as assertions: any claim that fails in a run of it
//! is false.
//!
//! [`step`] is a program without loops. It says whether the claims can be shown by induction, each
//! loop on its own, as a deductive verifier would (Floyd, "Assigning meanings to programs", 1967).
//! Each loop is replaced by
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
//! **Meaning.** What is established and preserved in all runs of that program holds in all runs of
//! the original. The converse does not hold: true claims may say too little about a state to be
//! preserved.
//!
//! **Limits.** Loops that jumps enter, or make, and loops that change pointers or write through
//! pointers that may point to several objects, are refused.

use super::normal::{jumps_back_or_into_loops, without_pointers};
use super::{Refusal, terms};
use crate::program::{
    Assertion, AssertionId, Base, Block, Claim, ClaimRole, Fold, Formula, LabelId, Location, Loop, LoopId, LoopKind,
    Lvalue, Obligation, ObligationKey, ObligationKind, Part, Program, SiteId, Step, Stmt, StmtId, StmtKind, Type, Use,
    VarId, each_part, each_stmt,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;

/// The claims at the head of each loop, by the loop statement: the number of the loop that it is a
/// copy of, and the formulas with their numbers.
pub type Claims = HashMap<StmtId, (usize, Vec<(usize, Formula)>)>;

/// What an assertion of an [`Asked`] program is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct About {
    /// The loop.
    pub number: usize,
    /// The formula.
    pub formula: usize,
    /// Whether it is about the state after an iteration, rather than the state before the first
    /// one. `false` in [`asserted`].
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

/// The program with the claims of its entry as assertions. A run continues after a failing one.
pub fn asserted(program: &Program, claims: &Claims) -> Asked {
    let mut maker = Maker::new(program, claims);
    let body = program.function(program.entry).body.as_ref().map(|b| {
        let numbered = Numbered(&mut maker).rebuilt(b);
        Heads(&mut maker).rebuilt(&numbered)
    });
    maker.asked(body)
}

/// Builds the program without loops that says which claims can be shown by induction.
///
/// # Errors
/// Why this program cannot be asked about.
pub fn step(program: &Program, claims: &Claims) -> Result<Asked, Refusal> {
    let mut maker = Maker::new(program, claims);
    let Some(body) = &program.function(program.entry).body else {
        return Err(Refusal::of_all("there is no program"));
    };
    let body = Numbered(&mut maker).rebuilt(body);
    if jumps_back_or_into_loops(&body) {
        return Err(Refusal::of_all("a jump goes backward or into a loop"));
    }
    // Claims mention pointers too, so they stay in the program while its pointers are resolved.
    let body = maker.marked(&body);
    let (body, _) = without_pointers(&mut maker.program, body);
    let body = maker.unmarked(&body);
    let body = WithoutLoops(&mut maker).fold_block(&body)?;
    Ok(maker.asked(Some(body)))
}

struct Maker<'c> {
    program: Program,
    claims: &'c Claims,
    /// The claims of the loops, which by now have numbers of their own.
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

    fn stmt(&mut self, kind: StmtKind, location: Location) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        Stmt::new(kind, site, location)
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

    /// Puts the claims of each loop at the beginning of its body.
    fn marked(&mut self, block: &Block) -> Block {
        each_loop(block, &mut |mut l, at| {
            let formulas = self.of.get(&l.id).map(|(_, f)| f.clone()).unwrap_or_default();
            let claim = |(_, formula)| StmtKind::Claim(Box::new(Claim { formula, role: ClaimRole::Assume }));
            let claims: Block = formulas.into_iter().map(|f| self.stmt(claim(f), at)).collect();
            l.body.splice(0..0, claims);
            l
        })
    }

    /// Takes the claims out again, in the form that they have by then.
    fn unmarked(&mut self, block: &Block) -> Block {
        each_loop(block, &mut |mut l, _| {
            if let Some((_, formulas)) = self.of.get_mut(&l.id) {
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

    /// The memory at the head of the loop that the loop may change: whole arrays, and single
    /// members of variables.
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

/// Gives each loop a number of its own. The claims are found by that number from then on.
struct Numbered<'m, 'c>(&'m mut Maker<'c>);

impl Fold for Numbered<'_, '_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let StmtKind::Loop(l) = &s.kind else { return self.fold_inside(s, out) };
        let id = LoopId(self.0.program.counters.loops);
        self.0.program.counters.loops += 1;
        if let Some(claimed) = self.0.claims.get(&s.id()) {
            self.0.of.insert(id, claimed.clone());
        }
        let numbered = Loop { id, ..self.fold_loop(l)? };
        out.push(s.with(StmtKind::Loop(Box::new(numbered))));
        Ok(())
    }
}

/// Puts assertions at the heads of loops.
struct Heads<'m, 'c>(&'m mut Maker<'c>);

impl Fold for Heads<'_, '_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let StmtKind::Loop(l) = &s.kind else { return self.fold_inside(s, out) };
        let mut l = self.fold_loop(l)?;
        let checks = self.0.checks(&l, false, s.location);
        if l.kind == LoopKind::DoWhile {
            l.body.splice(0..0, checks);
        } else {
            out.extend(checks.iter().cloned());
            l.step.extend(checks);
        }
        out.push(s.with(StmtKind::Loop(Box::new(l))));
        Ok(())
    }
}

/// Replaces each loop, inner ones first.
struct EachLoop<'f>(&'f mut dyn FnMut(Loop, Location) -> Loop);

impl Fold for EachLoop<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let StmtKind::Loop(l) = &s.kind else { return self.fold_inside(s, out) };
        let l = self.fold_loop(l)?;
        out.push(s.with(StmtKind::Loop(Box::new((self.0)(l, s.location)))));
        Ok(())
    }
}

fn each_loop(block: &Block, replace: &mut dyn FnMut(Loop, Location) -> Loop) -> Block {
    EachLoop(replace).rebuilt(block)
}

/// Puts the two steps of induction in the place of loops.
struct WithoutLoops<'m, 'c>(&'m mut Maker<'c>);

impl Fold for WithoutLoops<'_, '_> {
    type Refusal = Refusal;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Refusal> {
        let exits = self.0.exits.last();
        match (&s.kind, exits) {
            (StmtKind::Loop(l), _) => self.without_loop(s, l, out),
            (StmtKind::Break, Some((after, _))) => {
                out.push(s.with(StmtKind::Goto(*after)));
                Ok(())
            }
            (StmtKind::Continue, Some((_, next))) => {
                out.push(s.with(StmtKind::Goto(*next)));
                Ok(())
            }
            (StmtKind::Call { .. }, _) => Err(Refusal::at(s.location, "a call is not followed")),
            (StmtKind::HavocReachable(_), _) => {
                Err(Refusal::at(s.location, "the contents of memory after this are not known"))
            }
            _ => self.fold_inside(s, out),
        }
    }
}

impl WithoutLoops<'_, '_> {
    fn without_loop(&mut self, s: &Stmt, l: &Loop, out: &mut Block) -> Result<(), Refusal> {
        let at = s.location;
        out.extend(self.0.checks(l, false, at));
        for target in self.0.changed(l, at)? {
            out.push(self.0.stmt(StmtKind::Havoc(target), at));
        }
        for (_, formula) in self.0.of.get(&l.id).map(|(_, f)| f.clone()).unwrap_or_default() {
            let claim = Claim { formula, role: ClaimRole::Assume };
            out.push(self.0.stmt(StmtKind::Claim(Box::new(claim)), at));
        }
        let (after, next) = (self.0.label(), self.0.label());
        self.0.exits.push((after, next));
        let body = self.fold_block(&l.body);
        self.0.exits.pop();
        let mut iteration = body?;
        iteration.push(self.0.stmt(StmtKind::Label(next, String::new()), at));
        iteration.extend(self.fold_block(&l.step)?);
        let mut last = self.0.checks(l, true, at);
        last.push(self.0.stmt(StmtKind::Assume(terms::int(0, at)), at));
        if l.kind == LoopKind::DoWhile {
            // The head of the loop is where the body begins; the test follows.
            out.push(self.0.stmt(StmtKind::Block(iteration), at));
            out.push(self.0.stmt(StmtKind::If(l.condition.clone(), last, Block::new()), at));
        } else {
            iteration.extend(last);
            out.push(self.0.stmt(StmtKind::If(l.condition.clone(), iteration, Block::new()), at));
        }
        out.push(self.0.stmt(StmtKind::Label(after, String::new()), at));
        Ok(())
    }
}
