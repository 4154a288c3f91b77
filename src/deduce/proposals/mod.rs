//! Proposes what may hold whenever a run is at the head of a loop.
//!
//! The sources, after Flanagan and Leino ("Houdini", FME 2001) and Furia and Meyer ("Inferring loop
//! invariants using postconditions", 2010):
//!
//! * **Claims** of the program about what the loop writes or reads. A quantified part of a claim
//!   holds at the head for fewer elements: one end of its range becomes a variable that the loop
//!   moves (their *constant relaxation*), and the result of the function becomes the variable that
//!   is returned later (*uncoupling*).
//! * **Numbers** that the loop moves: their order, their sums, and the stretches between them in
//!   which an array is as it was at a moment that a claim names.
//! * **Comparisons** in the loop. `a[i] > m` suggests that `a[k] > m`, or the contrary, for all `k`
//!   in a stretch between variables of the loop. A comparison of two cells suggests that what the
//!   loop has written is at most, or at least, each of them.
//! * **Assignments** in the loop. After `a[i] = s` and `i++`, the cell `a[i - 1]` is `s`; and a sum
//!   of cells between known bounds is between multiples of the bounds.
//! * **Flags.** What is proposed of elements, under the condition that a flag has one value.
//!
//! Most proposals are wrong. Runs of the program with a few inputs ([`Runs`]) show that; those that
//! stay are guesses, of which [`super::candidates`] keeps the inductive ones. So nothing rests on a
//! proposal or on a run.

mod assignments;
mod comparisons;
mod ends;
mod finder;
mod flags;
mod merges;
mod pairs;
mod parts;
mod relaxed;
mod stronger;
mod sums;

use crate::program::{
    AssertionId, Base, Block, Claim, ClaimRole, ExprKind, FileId, Fold, ForAll, Formula, Location, LoopKind, Lvalue,
    Origin, Part, Program, Stmt, StmtId, StmtKind, Storage, Term, Type, Use, VarId, Visit, each_part, each_stmt, print,
};
use finder::Finder;
use parts::{Claimed, Names, reads_elements};
use relaxed::replaced;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;

/// Limit on the proposals for a loop, after runs have spoken.
const MOST_KEPT: usize = 150;

/// With more proposals, no further loops are looked at.
const MOST_IN_ALL: usize = 10_000;

/// Finds out which checks of a program fail, or have no value, in some run of a few.
pub type Runs<'r> = dyn FnMut(&Program) -> BTreeSet<AssertionId> + 'r;

/// What is proposed for each loop.
pub(super) type Proposals = HashMap<StmtId, Vec<Proposal>>;

/// What may hold at the head of a loop.
#[derive(Debug)]
pub(super) struct Proposal {
    pub(super) formula: Formula,
    /// The proposals for the same loop that say more than this one, by their numbers.
    pub(super) below: Vec<usize>,
}

/// That a formula says nothing: its ranges are empty, or its conditions are false.
fn vacuous(f: &Formula) -> Formula {
    match f {
        Formula::ForAll(q) => Formula::ForAll(Box::new(ForAll { body: vacuous(&q.body), ..(**q).clone() })),
        Formula::Implies(a, b) => Formula::Implies(a.clone(), Box::new(vacuous(b))),
        _ => Formula::Constant(false),
    }
}

/// The formula without the conditions that repeat the ranges of its quantifiers.
fn without_guards(f: &Formula) -> Formula {
    match f {
        Formula::ForAll(q) => Formula::ForAll(Box::new(ForAll { body: without_guards(&q.body), ..(**q).clone() })),
        Formula::Implies(guard, then) => match reads_elements(guard) {
            true => Formula::Implies(guard.clone(), Box::new(without_guards(then))),
            false => without_guards(then),
        },
        f => f.clone(),
    }
}

/// The proposals for all loops of a body that no run refutes.
pub(super) fn proposals(program: &Program, body: &Block, runs: &mut Runs<'_>) -> Proposals {
    let (claims, bounds) = (claims(program, body), assignments::bounds(body));
    let mut by_loop = Formulas::new();
    // What may hold in a loop may hold in the loops inside, too, that write the same arrays.
    let mut of_outer = Formulas::new();
    let mut count = 0;
    each_stmt(body, &mut |s| {
        let StmtKind::Loop(l) = &s.kind else { return };
        if count > MOST_IN_ALL {
            return;
        }
        let finder = Finder::of(program, body, s, l);
        let mut all = finder.proposals(&claims, &bounds);
        for block in s.blocks() {
            each_stmt(block, &mut |inner| {
                if let StmtKind::Loop(_) = &inner.kind {
                    let written = written(inner);
                    let concerned = all.iter().filter(|f| is_about(f, &written)).cloned();
                    of_outer.entry(inner.id()).or_default().extend(concerned);
                }
            });
        }
        let of_outer = of_outer.remove(&s.id()).unwrap_or_default();
        if !finder.is_annotated {
            let texts: HashSet<String> = all.iter().map(|f| print::formula(program, f)).collect();
            all.extend(of_outer.into_iter().filter(|f| !texts.contains(&print::formula(program, f))));
        }
        count += all.len();
        by_loop.insert(s.id(), all);
    });
    // Those that are true, and are about something in some run.
    let asked: Formulas =
        by_loop.iter().map(|(id, all)| (*id, all.iter().cloned().chain(all.iter().map(vacuous)).collect())).collect();
    let holds = in_runs(program, body, &asked, runs);
    for (id, all) in &mut by_loop {
        let (are_true, are_empty) = holds[id].split_at(all.len());
        let mut keep = are_true.iter().zip(are_empty).map(|(is_true, is_empty)| *is_true && !is_empty);
        all.retain(|_| keep.next().unwrap_or(false));
        all.truncate(MOST_KEPT);
        all.iter().for_each(|f| log::debug!("proposed for a loop: {}", print::formula(program, f)));
    }
    // Which of them say more than others, as far as runs show.
    let mut asked = Formulas::new();
    for (id, all) in &by_loop {
        let pairs = all.iter().flat_map(|strong| all.iter().map(move |weak| stronger::contains(strong, weak)));
        asked.insert(*id, pairs.map(|f| f.unwrap_or(Formula::Constant(false))).collect());
    }
    let holds = in_runs(program, body, &asked, runs);
    let mut found = Proposals::new();
    for (id, all) in by_loop {
        let (count, says_more) = (all.len(), &holds[&id]);
        let is_below = |n: usize, m: usize| m != n && says_more[m * count + n] && (m < n || !says_more[n * count + m]);
        let proposals = all.into_iter().enumerate().map(|(n, formula)| {
            let below = (0..count).filter(|m| is_below(n, *m)).collect();
            Proposal { formula, below }
        });
        found.insert(id, proposals.collect());
    }
    found
}

/// Formulas about the states at the heads of loops.
type Formulas = HashMap<StmtId, Vec<Formula>>;

/// Whether each formula is true whenever some run of a few is at the head of its loop.
fn in_runs(program: &Program, body: &Block, formulas: &Formulas, runs: &mut Runs<'_>) -> HashMap<StmtId, Vec<bool>> {
    let mut watched = program.clone();
    let mut check = |f: &Formula| match f {
        Formula::Constant(_) => None,
        _ => Some(watched.add_check(Location { file: FileId(0), line: 1, column: 1 })),
    };
    let checks: HashMap<StmtId, Vec<Option<AssertionId>>> =
        formulas.iter().map(|(id, all)| (*id, all.iter().map(&mut check).collect())).collect();
    let failing = match checks.values().flatten().any(Option::is_some) {
        true => {
            let body = Watched { formulas, checks: &checks }.rebuilt(body);
            watched.functions[program.entry.0 as usize].body = Some(body);
            runs(&watched)
        }
        false => BTreeSet::new(),
    };
    let holds = |(f, check): (&Formula, &Option<AssertionId>)| match check {
        Some(id) => !failing.contains(id),
        None => *f == Formula::Constant(true),
    };
    formulas.iter().map(|(id, all)| (*id, all.iter().zip(&checks[id]).map(holds).collect())).collect()
}

/// The arrays that a loop writes.
fn written(s: &Stmt) -> HashSet<VarId> {
    let mut found = HashSet::new();
    for block in s.blocks() {
        each_stmt(block, &mut |s| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(Lvalue { base: Base::Var(v), path, .. }, Use::Write) = part
                    && !path.is_empty()
                {
                    found.insert(*v);
                }
            });
        });
    }
    found
}

/// Whether a formula is about all elements of ranges, and of one of these arrays.
fn is_about(f: &Formula, arrays: &HashSet<VarId>) -> bool {
    let mut names = Names::default();
    names.formula(f);
    f.is_quantified() && names.found.iter().any(|v| arrays.contains(v))
}

/// Puts checks where runs are at the heads of loops.
struct Watched<'a> {
    formulas: &'a Formulas,
    checks: &'a HashMap<StmtId, Vec<Option<AssertionId>>>,
}

impl Fold for Watched<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let (StmtKind::Loop(l), Some(formulas)) = (&s.kind, self.formulas.get(&s.id())) else {
            return self.fold_inside(s, out);
        };
        let checks = || -> Block {
            let of_one = |(formula, id): (&Formula, &Option<AssertionId>)| {
                let claim = Claim { formula: formula.clone(), role: ClaimRole::Check((*id)?) };
                Some(s.with(StmtKind::Claim(Box::new(claim))))
            };
            formulas.iter().zip(&self.checks[&s.id()]).filter_map(of_one).collect()
        };
        let mut inside = self.fold_loop(l)?;
        if l.kind == LoopKind::DoWhile {
            inside.body.splice(0..0, checks());
        } else {
            out.extend(checks());
            inside.step.extend(checks());
        }
        out.push(s.with(StmtKind::Loop(Box::new(inside))));
        Ok(())
    }
}

/// The formulas that the source claims, in their parts. The value of a parameter at the start is
/// the parameter, if nothing else writes it.
fn claims(program: &Program, body: &Block) -> Vec<Claimed> {
    let mut found = Vec::new();
    let (mut writes, mut olds) = (HashMap::<VarId, usize>::new(), Vec::new());
    each_stmt(body, &mut |s| {
        each_part(s, &mut |part| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Write | Use::Address) = part {
                *writes.entry(*v).or_default() += 1;
            }
        });
        if let StmtKind::Assign(to, e) = &s.kind
            && let (Some(old), ExprKind::Load(from)) = (to.as_var(), &e.kind)
            && program.variable(old).origin == Origin::Old
            && from.as_var().is_some()
        {
            olds.push((old, to.clone(), from.clone()));
        }
    });
    let is_kept = |l: &Lvalue| {
        l.as_var()
            .is_some_and(|v| program.variable(v).storage != Storage::Global && writes.get(&v).is_none_or(|n| *n <= 1))
    };
    olds.retain(|(old, _, from)| writes[old] == 1 && is_kept(from));
    let is_of_source = |id: AssertionId| !program.assertion(id).id.is_empty();
    each_stmt(body, &mut |s| {
        if let StmtKind::Claim(claim) = &s.kind
            && claim.role.assertion().is_some_and(is_of_source)
        {
            let mut parts = Vec::new();
            atoms(&claim.formula, &mut parts);
            let is_asserted = matches!(claim.role, ClaimRole::Assert(_));
            found.extend(parts.into_iter().map(|formula| Claimed { formula, is_asserted }));
        }
    });
    for (_, old, from) in olds.iter().filter(|(_, old, _)| matches!(old.ty, Type::Int(_))) {
        let (old, from) = (Term::of_variable(old.clone()), Term::of_variable(from.clone()));
        found.iter_mut().for_each(|claim| claim.formula = replaced(&claim.formula, &old, &from));
    }
    found
}

/// The parts of a formula, with the conditions under which they are claimed and without.
fn atoms(f: &Formula, found: &mut Vec<Formula>) {
    match f {
        Formula::And(a, b) | Formula::Iff(a, b) => {
            atoms(a, found);
            atoms(b, found);
        }
        Formula::Or(a, b) => {
            if !f.is_quantified() {
                found.push(f.clone());
            }
            atoms(a, found);
            atoms(b, found);
        }
        Formula::Implies(condition, b) => {
            let first = found.len();
            atoms(b, found);
            if !condition.is_quantified() {
                let under = |f: &Formula| Formula::Implies(condition.clone(), Box::new(f.clone()));
                let conditional: Vec<Formula> = found[first..].iter().map(under).collect();
                found.extend(conditional);
            }
        }
        Formula::ForAll(_) => found.push(without_guards(f)),
        Formula::Not(a) if matches!(**a, Formula::ForAll(_)) => {
            found.push(Formula::Not(Box::new(without_guards(a))));
        }
        // Where pointers lead is no matter of loops.
        Formula::Not(_) | Formula::Constant(_) | Formula::Memory(_) => {}
        Formula::Compare(..) => found.push(f.clone()),
    }
}
