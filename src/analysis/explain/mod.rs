//! Explains why the domains prove an obligation, or what is missing for a proof.
//!
//! **Meaning.** The condition is split into its conjuncts, the parts. For each part that holds, the
//! explanation lists constraints of the state that together entail it; none of them can be left
//! out. For each open part, it lists what is known of its variables. For each cell that the part
//! reads, it lists the groups in which that cell may be, and tells which groups are enough for the
//! part and which are not. A *missing* formula makes the proof succeed if it is assumed before the
//! obligation.
//!
//! **Why it can be believed.** Nothing here decides a verdict. The domain is asked whether
//! constraints entail a part, in a state of which nothing else is known. A candidate for a missing
//! formula is assumed, and the program is analysed again. It is reported only if that proves the
//! obligation without making it unreachable.
//!
//! **Limits.** Candidates for missing formulas are built from one group of cells, its ends, and the
//! part itself. If none of them is enough, none is reported. Obligations about pointers and shifts
//! are shown without parts.

mod candidates;
mod parts;

use super::decide::{self, Instance};
use super::evaluate::Evaluator;
use super::view::{LongNames, Names, named};
use super::{AnalysisConfig, Error, Finding, Solved, Transfer, groups};
use crate::annotate::scopes::{Scope, scopes};
use crate::facts::{Fact, GroupContent, Name};
use crate::inline::inline;
use crate::program::{CheckCondition, Length, Obligation, ObligationKey, Program, Stmt, StmtKind, checks_of};
use crate::verdict::{Reason, Verdict};
use parts::{Before, Conjunct};
use petgraph::graph::NodeIndex;
use smalti_core::{
    Cell, Constraint, Facts, GroupFacts, Lattice, LinearExpr, Memory, Relation, Var, chains, chains_given,
};
use smalti_stack::AnyState;
use std::rc::Rc;

/// Why one domain stack proves an obligation or leaves it open.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The stack.
    pub stack: String,
    /// The stack's finding.
    pub finding: Finding,
    /// The number of moments of the graph that the obligation has: copies of its function, and
    /// first iterations that are analysed separately.
    pub moments: usize,
    /// At how many of them it is open.
    pub open: usize,
    /// The conjuncts of the condition at one moment. An open moment is chosen if there is one.
    pub parts: Vec<PartView>,
    /// For an open obligation: formulas, each of which proves it if it is assumed before it. The
    /// weakest comes first, as far as that is known.
    pub missing: Vec<String>,
}

/// A part of the condition.
#[derive(Clone, Debug)]
pub struct PartView {
    /// What must hold, as C or as ACSL.
    pub text: String,
    /// What stands before it in the condition: the part must hold only there.
    pub context: Option<String>,
    /// Whether it holds.
    pub holds: bool,
    /// For a part that holds: constraints that together entail it. For an open part: what is known
    /// of its variables.
    pub known: Vec<Fact>,
    /// The cells that are read for it.
    pub cells: Vec<CellView>,
    /// For each condition before the part: whether it holds anyway.
    before: Vec<bool>,
}

/// A cell that is read.
#[derive(Clone, Debug)]
pub struct CellView {
    /// The cell, as C.
    pub name: String,
    /// The groups that it may be in.
    pub groups: Vec<GroupView>,
}

/// A group of cells that a read may find.
#[derive(Clone, Debug)]
pub struct GroupView {
    /// The array of the group.
    pub array: String,
    /// The group.
    pub group: GroupContent,
    /// Whether the part holds if the cell is one of them.
    pub enough: bool,
}

/// A group that is not enough for a part.
struct Guilty {
    part: usize,
    group: GroupFacts,
    /// What is known of scalars there.
    known: Vec<Constraint>,
}

/// Explains one obligation of a program.
///
/// # Errors
/// The stack is not available.
pub fn explain(program: &Program, obligation: &Obligation, config: &AnalysisConfig) -> Result<Explanation, Error> {
    let inlined = inline(program);
    let solved = Solved::new(&inlined, config)?;
    let one = std::slice::from_ref(obligation);
    let findings = decide::findings(&solved, &inlined, one, config);
    let unknown = || Finding {
        verdict: Verdict::Unknown,
        open: Some(Reason::Undecided("the domains do not cover its function".to_owned())),
        fails_nowhere: false,
        suspect: false,
    };
    let finding = findings.get(&obligation.key).cloned().unwrap_or_else(unknown);
    let mut explanation = Explanation {
        stack: solved.stack.clone(),
        finding,
        moments: 0,
        open: 0,
        parts: Vec::new(),
        missing: Vec::new(),
    };
    let mut guilty = Vec::new();
    let mut site = None;
    solved.with(|transfer| {
        let reached = moments(&solved, &inlined, obligation.key);
        let reached: Vec<_> = reached.into_iter().filter(|(n, _)| !solved.solution.state(*n).is_bottom()).collect();
        let open = |(node, stmt): &&(NodeIndex, &Stmt)| {
            instance(transfer, &solved, &inlined, *node, stmt, obligation.key) == Instance::Open
        };
        let open: Vec<&(NodeIndex, &Stmt)> = reached.iter().filter(open).collect();
        explanation.moments = reached.len();
        explanation.open = open.len();
        if let Some((node, stmt)) = open.last().copied().or(reached.last()) {
            site = Some(stmt.site);
            let scope = scopes(program, &inlined).remove(&stmt.id());
            let asker = Asker { solved: &solved, transfer, scope, long: LongNames::new(program, &inlined) };
            explanation.parts = asker.parts(*node, stmt, &inlined, obligation.key, &mut guilty);
        }
    });
    if let Some(site) = site.filter(|_| explanation.open > 0) {
        let search = candidates::CandidateSearch { program, obligation, config, solved: &solved, site };
        explanation.missing = search.find(&explanation.parts, &guilty);
    }
    Ok(explanation)
}

/// The nodes at which the obligation is decided.
fn moments<'s>(
    solved: &'s Solved<'_>,
    inlined: &crate::inline::Inlined,
    key: ObligationKey,
) -> Vec<(NodeIndex, &'s Stmt)> {
    let is_ours = |stmt: &Stmt| match (&stmt.kind, key) {
        (StmtKind::Assert(_, id), ObligationKey::Assertion(wanted)) => *id == wanted,
        (StmtKind::Claim(claim), ObligationKey::Assertion(wanted)) => claim.role.assertion() == Some(wanted),
        (_, ObligationKey::Check(site, n)) => {
            let offset = inlined.check_offset(stmt);
            let count = || checks_of(solved.cfg.program, stmt).len();
            stmt.site == site && n >= offset && ((n - offset) as usize) < count()
        }
        _ => false,
    };
    solved.cfg.evaluations().filter(|(_, stmt)| is_ours(stmt)).collect()
}

fn instance(
    transfer: &Transfer<'_>,
    solved: &Solved<'_>,
    inlined: &crate::inline::Inlined,
    node: NodeIndex,
    stmt: &Stmt,
    key: ObligationKey,
) -> Instance {
    let state = solved.solution.state(node);
    match (&stmt.kind, key) {
        (StmtKind::Assert(condition, _), ObligationKey::Assertion(_)) => {
            decide::assertion(transfer, state, condition).0
        }
        (StmtKind::Claim(claim), ObligationKey::Assertion(_)) => decide::claimed(transfer, state, &claim.formula),
        (_, ObligationKey::Check(_, n)) => {
            let n = (n - inlined.check_offset(stmt)) as usize;
            match checks_of(solved.cfg.program, stmt).get(n) {
                Some(check) => decide::implicit_check(transfer, state, stmt, check),
                None => Instance::Open,
            }
        }
        _ => Instance::Open,
    }
}

/// Asks the domain about one moment.
struct Asker<'a> {
    solved: &'a Solved<'a>,
    transfer: &'a Transfer<'a>,
    /// What names mean there.
    scope: Option<Rc<Scope>>,
    long: LongNames,
}

/// At most this many groups are listed one by one.
const MOST_GROUPS: usize = 12;
/// With more constraints than this, the search for those that entail a part is skipped.
const MOST_CONSTRAINTS: usize = 150;
/// The most constraints that are shown of an open part.
const MOST_SHOWN: usize = 6;

impl Asker<'_> {
    fn parts(
        &self,
        node: NodeIndex,
        stmt: &Stmt,
        inlined: &crate::inline::Inlined,
        key: ObligationKey,
        guilty: &mut Vec<Guilty>,
    ) -> Vec<PartView> {
        let program = self.solved.cfg.program;
        let state = self.solved.solution.state(node);
        let parts = match (&stmt.kind, key) {
            (StmtKind::Assert(condition, _), ObligationKey::Assertion(_)) => parts::of_condition(condition),
            (StmtKind::Claim(claim), ObligationKey::Assertion(_)) => parts::of_formula(&claim.formula),
            (_, ObligationKey::Check(_, n)) => {
                let checks = checks_of(program, stmt);
                let check = checks.get((n - inlined.check_offset(stmt)) as usize);
                return check.map_or_else(Vec::new, |check| self.check(state, check));
            }
            _ => return Vec::new(),
        };
        parts.iter().enumerate().map(|(n, part)| self.part(state, part, n, guilty)).collect()
    }

    fn part(
        &self,
        state: &super::State<AnyState>,
        part: &Conjunct<'_>,
        n: usize,
        guilty: &mut Vec<Guilty>,
    ) -> PartView {
        let program = self.solved.cfg.program;
        let mut x = Evaluator::new(self.transfer.model, state.clone());
        let needed = part.evaluate(&mut x);
        let is_known = |b: &Before<'_>| {
            let mut x = Evaluator::new(self.transfer.model, state.clone());
            match b {
                Before::Condition(e, holds) => x.condition(e, !holds),
                Before::Formula(f, holds) => x.claim(f, !holds),
                // A quantified variable is not known.
                Before::Range(_) => return false,
            }
            x.state.is_bottom()
        };
        let before: Vec<bool> = part.before.iter().map(is_known).collect();
        let mut view = PartView {
            text: part.text(program),
            context: part.context(program, &before),
            before,
            holds: x.state.is_bottom(),
            known: Vec::new(),
            cells: Vec::new(),
        };
        if view.holds {
            return view;
        }
        let Some(needed) = needed else {
            let mut refuted = Evaluator::new(self.transfer.model, state.clone());
            part.evaluate(&mut refuted);
            part.refute(&mut refuted);
            view.holds = refuted.state.is_bottom();
            return view;
        };
        self.fill(&mut x, &needed, &mut view, n, guilty);
        view
    }

    /// The two comparisons of an index with its bounds. For other checks: whether the state proves
    /// the whole check.
    fn check(&self, state: &super::State<AnyState>, check: &crate::program::Check<'_>) -> Vec<PartView> {
        let program = self.solved.cfg.program;
        let evaluated = || {
            let mut x = Evaluator::new(self.transfer.model, state.clone());
            check.guards.iter().for_each(|g| x.condition(g.condition, g.holds));
            x.reads.clear();
            x
        };
        let mut views = Vec::new();
        let mut look = |text: String, needed: &dyn Fn(&mut Evaluator<'_, AnyState>) -> Option<Constraint>| {
            let mut x = evaluated();
            let (holds, known, cells) = (x.state.is_bottom(), Vec::new(), Vec::new());
            let mut view = PartView { text, context: None, holds, known, cells, before: Vec::new() };
            if !view.holds
                && let Some(needed) = needed(&mut x)
            {
                self.fill(&mut x, &needed, &mut view, views.len(), &mut Vec::new());
            }
            views.push(view);
        };
        match &check.condition {
            CheckCondition::Index { index, length } => {
                let text = crate::program::print::expr(program, index);
                look(format!("0 <= {text}"), &|x| Some(Constraint::non_negative(x.int(index))));
                let name = match length {
                    Length::Constant(n) => n.to_string(),
                    Length::Variable(v) => program.variable(*v).shown().into_owned(),
                    Length::Unknown => return views,
                };
                look(format!("{text} < {name}"), &|x| {
                    let i = x.int(index);
                    let length = match length {
                        Length::Constant(n) => LinearExpr::constant((*n).into()),
                        Length::Variable(v) => LinearExpr::var(x.model.layout.scalar(*v)?),
                        Length::Unknown => return None,
                    };
                    Constraint::lt(&i, &length)
                });
            }
            CheckCondition::NonZero { divisor } => {
                let text = crate::program::print::expr(program, divisor);
                look(format!("{text} != 0"), &|x| {
                    let d = x.int(divisor);
                    Constraint::ne(&d, &LinearExpr::constant(0))
                });
            }
            _ => {}
        }
        views
    }

    /// Completes the view of a part that is equivalent to a constraint.
    fn fill(
        &self,
        x: &mut Evaluator<'_, AnyState>,
        needed: &Constraint,
        view: &mut PartView,
        n: usize,
        guilty: &mut Vec<Guilty>,
    ) {
        let reads = x.reads.clone();
        let state = x.state.clone();
        x.learn(needed.negate());
        view.holds = x.state.is_bottom();
        let facts = state.memory.facts();
        let names = Names::new(self.solved, self.scope.as_deref(), &self.long, &facts);
        let of_reads = |c: &Constraint| reads.iter().any(|(_, t)| c.expr.mentions(*t));
        let scalars: Vec<Constraint> = facts.scalars.iter().filter(|c| !of_reads(c)).cloned().collect();
        let shown: Vec<Constraint> =
            scalars.iter().filter(|c| c.expr.vars().all(|v| names.is_shown(v))).cloned().collect();
        let moment =
            Moment { asker: self, state: &state, needed, reads: &reads, facts: &facts, names: &names, scalars, shown };
        let mut reasons = Some(Vec::new());
        let mut seen: Vec<&Cell> = Vec::new();
        for (cell, value) in &reads {
            // A cell that is mentioned twice is listed once.
            if seen.contains(&cell) {
                continue;
            }
            seen.push(cell);
            let Some(groups) = moment.groups(cell, *value, view.holds, x, &mut reasons) else { continue };
            let unfit = groups.iter().filter(|g| !g.view.enough);
            guilty.extend(unfit.map(|g| Guilty { part: n, group: g.facts.clone(), known: moment.shown.clone() }));
            let groups = groups.into_iter().map(|g| g.view).collect();
            view.cells.push(CellView { name: moment.cell_name(cell), groups });
        }
        if view.holds {
            if reads.is_empty() {
                moment.add_core(&moment.scalars, &mut reasons);
            }
            if let Some(used) = reasons {
                // A fact that follows from types alone needs no reason.
                view.known = named(chains(&used).as_deref(), &|v| moment.name(v));
            }
        } else {
            view.known = moment.known();
        }
    }

    /// Constraints of the pool that, together with the ranges of the types, entail `needed`. If any
    /// one of them is left out, the rest does not.
    fn core(&self, pool: &[Constraint], needed: &Constraint) -> Option<Vec<Constraint>> {
        let refuted = needed.negate()?;
        if pool.len() > MOST_CONSTRAINTS {
            return None;
        }
        let entailed = |kept: &[Constraint]| {
            let mut memory = self.solved.top.memory.clone();
            let vars = kept.iter().chain([&refuted]).flat_map(|c| c.expr.vars().collect::<Vec<_>>());
            let mut vars: Vec<Var> = vars.collect();
            vars.sort_unstable();
            vars.dedup();
            for v in vars {
                let (e, range) = (LinearExpr::var(v), self.solved.model.layout.range(v));
                let low = range.lo().and_then(|b| Constraint::ge(&e, &LinearExpr::constant(b)));
                let high = range.hi().and_then(|b| Constraint::le(&e, &LinearExpr::constant(b)));
                [low, high].into_iter().flatten().for_each(|c| memory.assume(&c));
            }
            kept.iter().for_each(|c| memory.assume(c));
            memory.assume(&refuted);
            memory.is_bottom()
        };
        // Equalities come first because they say most. Removal starts with the last constraint.
        let mut kept = pool.to_vec();
        kept.sort_by_key(|c| c.relation != Relation::Zero);
        if !entailed(&kept) {
            return None;
        }
        let mut n = kept.len();
        while n > 0 {
            n -= 1;
            let mut without = kept.clone();
            without.remove(n);
            if entailed(&without) {
                kept = without;
            }
        }
        Some(kept)
    }
}

/// The moment before a part, and the constraint that it is equivalent to.
struct Moment<'m> {
    asker: &'m Asker<'m>,
    state: &'m super::State<AnyState>,
    needed: &'m Constraint,
    /// The cells that are read, and the variables that stand for their values.
    reads: &'m [(Cell, Var)],
    facts: &'m Facts,
    names: &'m Names<'m>,
    /// What is known of scalars, apart from the values that are read.
    scalars: Vec<Constraint>,
    /// Those of them that have names.
    shown: Vec<Constraint>,
}

/// A group that a read may find.
struct Found<'m> {
    facts: &'m GroupFacts,
    view: GroupView,
}

impl<'m> Moment<'m> {
    /// The cell, as C.
    fn cell_name(&self, cell: &Cell) -> String {
        let names = self.names;
        let info = names.layout.array(cell.array);
        let base = names.path(info.block, &info.prefix[..info.prefix.len() - 1]);
        let field = info.fields.iter().find(|f| f.0 == cell.field).map(|f| names.layout.leaf(f.1));
        let whole = names.path(info.block, &info.prefix);
        let member = field.map(|l| names.path(info.block, &l.path)[whole.len()..].to_owned()).unwrap_or_default();
        // A cell whose index has no name in the source is not listed.
        let told = cell.index.vars().all(|v| names.is_shown(v) && !names.of(v).starts_with("offset("));
        let index = if told { cell.index.as_sum().map(|v| names.of(*v)).to_string() } else { "...".to_owned() };
        format!("{base}[{index}]{member}")
    }

    fn name(&self, v: Var) -> Name {
        match self.reads.iter().find(|(_, t)| *t == v) {
            Some((cell, _)) => Name::from(self.cell_name(cell)),
            None => self.names.name(v),
        }
    }

    /// Adds the constraints by which the pool entails the part. `reasons` becomes `None` if a
    /// constraint has no name, or if none were found.
    fn add_core(&self, pool: &[Constraint], reasons: &mut Option<Vec<Constraint>>) {
        let has_name = |v: Var| self.names.is_shown(v) || self.reads.iter().any(|(_, t)| *t == v);
        let core = self.asker.core(pool, self.needed);
        let core = core.filter(|core| core.iter().all(|c| c.expr.vars().all(has_name)));
        match (core, reasons.as_mut()) {
            (Some(core), Some(used)) => {
                for c in core {
                    if !used.contains(&c) {
                        used.push(c);
                    }
                }
            }
            _ => *reasons = None,
        }
    }

    /// The groups that a read of the cell may find; none if the domains do not track the array.
    fn groups(
        &self,
        cell: &Cell,
        value: Var,
        holds: bool,
        x: &mut Evaluator<'_, AnyState>,
        reasons: &mut Option<Vec<Constraint>>,
    ) -> Option<Vec<Found<'m>>> {
        let names = self.names;
        let array = self.facts.arrays.iter().find(|a| a.array == cell.array)?;
        let contents = names.array(array, &self.facts.arrays, &self.shown).groups;
        let info = names.layout.array(cell.array);
        let base = names.path(info.block, &info.prefix[..info.prefix.len() - 1]);
        let mut found = Vec::new();
        for (group, content) in groups::in_order(&array.groups).into_iter().zip(contents).take(MOST_GROUPS) {
            let of_group = instantiated(group, cell, value, x);
            let mut case = self.state.clone();
            of_group.iter().for_each(|c| case.memory.assume(c));
            if case.is_bottom() {
                continue;
            }
            if let Some(c) = self.needed.negate() {
                case.memory.assume(&c);
            }
            let enough = case.is_bottom();
            if enough && holds && self.reads.len() == 1 {
                let pool: Vec<Constraint> = of_group.into_iter().chain(self.scalars.iter().cloned()).collect();
                self.add_core(&pool, reasons);
            }
            let view = GroupView { array: base.clone(), group: content, enough };
            found.push(Found { facts: group, view });
        }
        Some(found)
    }

    /// For an open part: what is known of its variables.
    fn known(&self) -> Vec<Fact> {
        let is_about = |c: &&Constraint| c.expr.vars().any(|v| self.needed.expr.mentions(v));
        let about: Vec<Constraint> = self.shown.iter().filter(is_about).cloned().collect();
        let given: Vec<Constraint> = self.shown.iter().filter(|c| !about.contains(c)).cloned().collect();
        let added = chains_given(&given, &self.names.informative(about));
        let mut known = named(added.as_deref(), &|v| self.name(v));
        known.truncate(MOST_SHOWN);
        known
    }
}

/// The constraints on the cell that is read, if it is in the group. Dimensions of the group other
/// than index and value become fresh scalars.
fn instantiated(group: &GroupFacts, cell: &Cell, value: Var, x: &mut Evaluator<'_, AnyState>) -> Vec<Constraint> {
    let mut by: Vec<(Var, LinearExpr)> = Vec::new();
    by.extend(group.index.map(|v| (v, cell.index.clone())));
    by.extend(group.size.map(|v| (v, LinearExpr::var(x.temporary()))));
    for (field, v) in &group.fields {
        let scalar = if *field == cell.field { value } else { x.temporary() };
        by.push((*v, LinearExpr::var(scalar)));
    }
    let told = group.constraints.iter().filter_map(|c| {
        let mut expr = c.expr.clone();
        for (v, e) in &by {
            expr = expr.substitute(*v, e)?;
        }
        Some(Constraint { expr, relation: c.relation })
    });
    told.collect()
}
