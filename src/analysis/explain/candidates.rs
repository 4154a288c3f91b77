//! Formulas about the source program that could be missing for a proof. Each is tried before it is
//! reported.

use super::super::layout::{BlockId, Meaning};
use super::super::{AnalysisConfig, Solved, analyse, groups};
use super::parts::{self, Before, Claim, Conjunct};
use super::{Guilty, PartView};
use crate::clock;
use crate::program::{
    self, Base, BinaryOp, Block, BoundId, Check, CheckCondition, ClaimRole, Expr, ExprKind, ForAll, Formula, Length,
    Lvalue, Obligation, ObligationKey, Program, Root, SiteId, Step, Stmt, StmtKind, Storage, Term, TermLvalue, TermOp,
    TermStep, Type, UnaryOp, VarId, checks_of, print,
};
use crate::verdict::Verdict;
use smalti_core::{LinearExpr, Var};
use std::collections::BTreeMap;

/// The most candidates that are tried for one obligation; each costs an analysis.
const MOST_TRIED: usize = 24;

/// The search for what is missing.
pub(super) struct CandidateSearch<'a> {
    pub(super) program: &'a Program,
    pub(super) obligation: &'a Obligation,
    pub(super) config: &'a AnalysisConfig,
    /// The graph in which the obligation is open.
    pub(super) solved: &'a Solved<'a>,
    /// The statement that it belongs to.
    pub(super) site: SiteId,
}

/// A part as a formula, and what it compares.
struct SourcePart {
    whole: Formula,
    /// The comparison and what stands before it, if it compares expressions of C.
    compared: Option<(Vec<Formula>, BinaryOp, Term, Term)>,
}

impl CandidateSearch<'_> {
    /// Formulas each of which is enough.
    pub(super) fn find(&self, views: &[PartView], guilty: &[Guilty]) -> Vec<String> {
        let Some((stmt, visible)) = self.statement() else { return Vec::new() };
        let Some(source) = self.parts(stmt, views).filter(|s| s.len() == views.len()) else { return Vec::new() };
        let open: Vec<usize> = (0..views.len()).filter(|n| !views[*n].holds).collect();
        let mut tries = MOST_TRIED;
        let mut chosen: Vec<Vec<Formula>> = Vec::new();
        for n in &open {
            // Each part is searched with the other parts assumed.
            let others: Vec<&Formula> = open.iter().filter(|m| *m != n).map(|m| &source[*m].whole).collect();
            let mut enough = Vec::new();
            let classes = self.candidates(*n, &source[*n], guilty, &visible);
            let stronger = stronger(&source[*n]);
            for (class, is_stronger) in classes.iter().map(|c| (c, false)).chain(stronger.iter().map(|c| (c, true))) {
                // Candidates that are stronger than the part are used only if the part itself is
                // not enough.
                if is_stronger && enough.iter().any(|f| !stronger.iter().flatten().any(|s| s == f)) {
                    break;
                }
                let sound = |f: &&Formula| self.is_visible(f, &visible);
                for candidate in class.iter().filter(sound) {
                    if tries == 0 {
                        break;
                    }
                    tries -= 1;
                    let mut assumed = others.clone();
                    assumed.push(candidate);
                    if self.proves(&assumed) {
                        enough.push(candidate.clone());
                        break;
                    }
                }
            }
            if enough.is_empty() {
                return Vec::new();
            }
            chosen.push(enough);
        }
        let text = |f: &Formula| print::formula(self.program, f);
        match &chosen[..] {
            [one] => {
                let mut texts: Vec<String> = one.iter().map(text).collect();
                texts.dedup();
                texts
            }
            several => {
                let first: Vec<&Formula> = several.iter().filter_map(|c| c.first()).collect();
                let conjunction = first.iter().skip(1).fold(first.first().map(|f| (*f).clone()), |all, f| {
                    Some(Formula::And(Box::new(all?), Box::new((*f).clone())))
                });
                // They were found one by one. They are reported only if they are enough together.
                conjunction.filter(|all| self.proves(&[all])).iter().map(text).collect()
            }
        }
    }

    /// Whether the obligation is proved, and reached, if these are assumed before it.
    fn proves(&self, assumed: &[&Formula]) -> bool {
        if self.config.deadline.is_some_and(|d| clock::now() >= d) {
            return false;
        }
        let mut program = self.program.clone();
        let mut sites = program.counters.sites;
        let mut insert = |stmt: &Stmt| -> Vec<Stmt> {
            if !self.is_ours(stmt) {
                return Vec::new();
            }
            let claim = |f: &&Formula| {
                let site = SiteId(sites);
                sites += 1;
                let claim = program::Claim { formula: (*f).clone(), role: ClaimRole::Assume };
                Stmt::new(StmtKind::Claim(Box::new(claim)), site, stmt.location)
            };
            assumed.iter().map(claim).collect()
        };
        for f in &mut program.functions {
            if let Some(body) = &mut f.body {
                patch(body, &mut insert);
            }
        }
        program.counters.sites = sites;
        let one = std::slice::from_ref(self.obligation);
        let found = analyse(&program, one, self.config).ok();
        found.and_then(|a| a.findings.get(&self.obligation.key).map(|f| f.verdict)) == Some(Verdict::Proved)
    }

    fn is_ours(&self, stmt: &Stmt) -> bool {
        match (&stmt.kind, self.obligation.key) {
            (StmtKind::Assert(_, id), ObligationKey::Assertion(wanted)) => *id == wanted,
            (StmtKind::Claim(claim), ObligationKey::Assertion(wanted)) => claim.role.assertion() == Some(wanted),
            // A statement before a loop does not run before each test of its condition.
            (StmtKind::Loop(_), _) => false,
            (_, ObligationKey::Check(site, _)) => stmt.site == site,
            _ => false,
        }
    }

    /// The statement in the source, and the variables that can be named there.
    fn statement(&self) -> Option<(&Stmt, BTreeMap<&str, VarId>)> {
        let mut globals = BTreeMap::new();
        let variables = self.program.variables.iter().enumerate();
        for (n, v) in variables.filter(|(_, v)| v.storage == Storage::Global && !v.is_hidden()) {
            globals.insert(v.name.as_str(), VarId(u32::try_from(n).ok()?));
        }
        self.program.functions.iter().find_map(|f| {
            let mut visible = globals.clone();
            f.parameters.iter().for_each(|p| self.show(*p, &mut visible));
            self.look_in(f.body.as_ref()?, visible)
        })
    }

    /// Makes a variable of the source visible.
    fn show<'s>(&'s self, v: VarId, visible: &mut BTreeMap<&'s str, VarId>) {
        let variable = self.program.variable(v);
        if !variable.is_hidden() {
            visible.insert(&variable.name, v);
        }
    }

    fn look_in<'s>(
        &'s self,
        block: &'s Block,
        mut visible: BTreeMap<&'s str, VarId>,
    ) -> Option<(&'s Stmt, BTreeMap<&'s str, VarId>)> {
        for stmt in block {
            if stmt.site == self.site && self.is_ours(stmt) {
                return Some((stmt, visible));
            }
            let inner: Vec<&Block> = match &stmt.kind {
                StmtKind::Declare(v) => {
                    self.show(*v, &mut visible);
                    continue;
                }
                StmtKind::If(_, a, b) => vec![a, b],
                StmtKind::Loop(l) => vec![&l.body, &l.step],
                StmtKind::Block(b) => vec![b],
                _ => continue,
            };
            if let Some(found) = inner.into_iter().find_map(|b| self.look_in(b, visible.clone())) {
                return Some(found);
            }
        }
        None
    }

    /// Whether every name in the formula is visible there and means the same variable.
    fn is_visible(&self, f: &Formula, visible: &BTreeMap<&str, VarId>) -> bool {
        let mut all = true;
        f.each_place(&mut |place| {
            let root = match &place.root {
                Root::Elements { .. } => return,
                Root::Variable(l) => l.as_var(),
                Root::Pointer { pointer, .. } => match &pointer.kind {
                    ExprKind::Load(l) => l.as_var(),
                    _ => None,
                },
            };
            all &= root.is_some_and(|v| visible.get(self.program.variable(v).name.as_str()) == Some(&v));
        });
        all
    }

    // --- the parts in the source ---

    fn parts(&self, stmt: &Stmt, views: &[PartView]) -> Option<Vec<SourcePart>> {
        let known = |n: usize| views.get(n).map_or(&[][..], |v| &v.before);
        match (&stmt.kind, self.obligation.key) {
            (StmtKind::Assert(condition, _), ObligationKey::Assertion(_)) => {
                parts::of_condition(condition).iter().enumerate().map(|(n, p)| source_part(p, known(n))).collect()
            }
            (StmtKind::Claim(claim), ObligationKey::Assertion(_)) => {
                parts::of_formula(&claim.formula).iter().enumerate().map(|(n, p)| source_part(p, known(n))).collect()
            }
            (_, ObligationKey::Check(_, n)) => {
                checks_of(self.program, stmt).get(n as usize).and_then(|c| self.check(c))
            }
            _ => None,
        }
    }

    fn check(&self, check: &Check<'_>) -> Option<Vec<SourcePart>> {
        let guards: Option<Vec<Formula>> = check.guards.iter().map(|g| formula(g.condition, g.holds)).collect();
        let guards = guards?;
        let zero = || Term::Int(0);
        let part = |op, a: Term, b: Term| {
            let whole = under(&guards, Formula::Compare(op, a.clone(), b.clone()));
            SourcePart { whole, compared: Some((guards.clone(), op, a, b)) }
        };
        match &check.condition {
            CheckCondition::Index { index, length } => {
                let length = match length {
                    Length::Constant(n) => Term::Int((*n).into()),
                    Length::Variable(v) => self.read(*v),
                    Length::Unknown => return None,
                };
                let below = part(BinaryOp::Less, term(index)?, length);
                Some(vec![part(BinaryOp::LessEqual, zero(), term(index)?), below])
            }
            CheckCondition::NonZero { divisor } => Some(vec![part(BinaryOp::NotEqual, term(divisor)?, zero())]),
            _ => None,
        }
    }

    // --- candidates ---

    /// Candidates for one part, in classes; one member of a class is enough. For the group that the
    /// part fails for: its cells hold what is needed, or the cell is not in the group. Then the
    /// part itself.
    fn candidates(
        &self,
        n: usize,
        part: &SourcePart,
        guilty: &[Guilty],
        visible: &BTreeMap<&str, VarId>,
    ) -> Vec<Vec<Formula>> {
        let guilty: Vec<&Guilty> = guilty.iter().filter(|g| g.part == n).collect();
        let mut classes = Vec::new();
        if let Some((before, op, a, b)) = &part.compared
            && let Some((index, place)) = only_cell(&Formula::Compare(*op, a.clone(), b.clone()))
            && !guilty.is_empty()
        {
            let name = ["j", "k", "l", "m", "cell"].into_iter().find(|name| !visible.contains_key(name));
            let bound = BoundId(0);
            let cell = with_index(&place, &Term::Bound(bound));
            let by = |t: &Term| replaced(t, &index, &place, &cell, bound);
            let body = Formula::Compare(*op, by(a), by(b));
            let (mut all_hold, mut elsewhere) = (Vec::new(), Vec::new());
            for g in &guilty {
                let (lows, highs) = groups::bounds(&g.group, &g.known);
                let terms = |bounds: &[LinearExpr], by: i128| -> Vec<Term> {
                    bounds.iter().filter_map(|e| self.linear(&e.add_constant(by)?)).take(4).collect()
                };
                let (lows, highs) = (terms(&lows, 0), terms(&highs, 1));
                let mut held = Vec::new();
                for (low, high) in lows.iter().flat_map(|l| highs.iter().map(move |h| (l, h))) {
                    let Some(name) = name else { break };
                    let (low, high) = (low.clone(), high.clone());
                    let range = ForAll { bound, name: name.to_owned(), low, high, body: body.clone() };
                    held.push(under(before, Formula::ForAll(Box::new(range))));
                }
                all_hold.push(held);
                let below = lows.iter().map(|low| Formula::Compare(BinaryOp::Less, index.clone(), low.clone()));
                let above = highs.iter().map(|h| Formula::Compare(BinaryOp::GreaterEqual, index.clone(), h.clone()));
                elsewhere.push(below.chain(above).map(|f| under(before, f)).collect::<Vec<_>>());
            }
            for mut alternatives in [all_hold, elsewhere] {
                // Of several groups, each must be ruled out: the first candidate of each.
                classes.push(match &mut alternatives[..] {
                    [one] => std::mem::take(one),
                    several => {
                        let first: Option<Vec<Formula>> = several.iter().map(|a| a.first().cloned()).collect();
                        let all = first.and_then(|f| f.into_iter().reduce(Formula::and));
                        all.into_iter().collect()
                    }
                });
            }
        }
        classes.push(vec![part.whole.clone()]);
        classes
    }

    /// A linear expression over the domain's scalars as a term of the source; `None` where one of
    /// them has no name.
    fn linear(&self, e: &LinearExpr) -> Option<Term> {
        let mut sum: Option<Term> = None;
        // Positive terms come first.
        let (plus, minus): (Vec<_>, Vec<_>) = e.terms().iter().copied().partition(|(_, k)| *k > 0);
        for (v, k) in plus.into_iter().chain(minus) {
            let read = self.scalar(v)?;
            let times = |k: i128| match k {
                1 => read.clone(),
                _ => Term::Binary(TermOp::Mul, Box::new(Term::Int(k)), Box::new(read.clone())),
            };
            sum = Some(match sum {
                None if k == -1 => Term::Negate(Box::new(read.clone())),
                None => times(k),
                Some(s) if k > 0 => Term::Binary(TermOp::Add, Box::new(s), Box::new(times(k))),
                Some(s) => Term::Binary(TermOp::Sub, Box::new(s), Box::new(times(k.checked_neg()?))),
            });
        }
        let c = e.constant_part();
        Some(match sum {
            None => Term::Int(c),
            Some(s) if c == 0 => s,
            Some(s) if c > 0 => Term::Binary(TermOp::Add, Box::new(s), Box::new(Term::Int(c))),
            Some(s) => Term::Binary(TermOp::Sub, Box::new(s), Box::new(Term::Int(c.checked_neg()?))),
        })
    }

    fn scalar(&self, v: Var) -> Option<Term> {
        let layout = &self.solved.model.layout;
        let meaning = if v.is_scalar() { layout.meanings.get(usize::try_from(v.0).ok()?)? } else { return None };
        let Meaning::Leaf(leaf) = meaning else { return None };
        let leaf = layout.leaf(*leaf);
        let BlockId::Variable(var) = leaf.block else { return None };
        if !matches!(leaf.ty, Type::Int(_)) {
            return None;
        }
        let var = self.in_source(var)?;
        let ty = self.program.type_at(&self.program.variable(var).ty, &leaf.path)?.clone();
        let mut read = self.place(var);
        (read.steps, read.ty) = (leaf.path.iter().map(|s| s.keeping(|()| None)).collect::<Option<_>>()?, ty);
        Some(Term::Read(Box::new(read)))
    }

    fn place(&self, var: VarId) -> TermLvalue {
        let variable = self.program.variable(var);
        let (ty, location) = (variable.ty.clone(), variable.location);
        let lvalue = Lvalue { base: Base::Var(var), path: Vec::new(), ty: ty.clone(), location };
        TermLvalue { root: Root::Variable(lvalue), steps: Vec::new(), ty, location }
    }

    fn read(&self, var: VarId) -> Term {
        Term::Read(Box::new(self.place(var)))
    }

    /// The variable of the source that one of the inlined program is, or is a copy of.
    fn in_source(&self, var: VarId) -> Option<VarId> {
        if (var.0 as usize) < self.program.variables.len() {
            return Some(var);
        }
        let copy = self.solved.cfg.program.variable(var);
        let same = |v: &program::Variable| {
            (&v.name, v.origin, v.location, v.storage) == (&copy.name, copy.origin, copy.location, copy.storage)
        };
        let mut found = self.program.variables.iter().enumerate().filter(|(_, v)| same(v));
        let (n, _) = found.next()?;
        if found.next().is_some() { None } else { u32::try_from(n).ok().map(VarId) }
    }
}

/// Many domains cannot represent that two values differ, but can represent that one is larger.
fn stronger(part: &SourcePart) -> Vec<Vec<Formula>> {
    let Some((before, BinaryOp::NotEqual, a, b)) = &part.compared else { return Vec::new() };
    let one = |op| vec![under(before, Formula::Compare(op, a.clone(), b.clone()))];
    vec![one(BinaryOp::Greater), one(BinaryOp::Less)]
}

/// Inserts statements before others, at all depths.
fn patch(block: &mut Block, insert: &mut dyn FnMut(&Stmt) -> Vec<Stmt>) {
    let mut patched = Vec::with_capacity(block.len());
    for mut stmt in std::mem::take(block) {
        patched.extend(insert(&stmt));
        stmt.blocks_mut().for_each(|inner| patch(inner, insert));
        patched.push(stmt);
    }
    *block = patched;
}

/// The part as a formula. `known` tells which of the conditions before it hold anyway.
fn source_part(part: &Conjunct<'_>, known: &[bool]) -> Option<SourcePart> {
    let (claim, compared) = match part.claim {
        Claim::Compare(op, a, b, holds) => {
            let op = parts::asserted(op, holds);
            let (a, b) = (term(a)?, term(b)?);
            (Formula::Compare(op, a.clone(), b.clone()), Some((op, a, b)))
        }
        Claim::Terms(op, a, b, holds) => {
            let op = parts::asserted(op, holds);
            (Formula::Compare(op, a.clone(), b.clone()), Some((op, a.clone(), b.clone())))
        }
        Claim::Truth(e, holds) => (formula(e, holds)?, None),
        Claim::Whole(f, true) => (f.clone(), None),
        Claim::Whole(f, false) => (Formula::Not(Box::new(f.clone())), None),
    };
    let mut whole = claim;
    let mut quantified = false;
    let mut before = Vec::new();
    for (n, b) in part.before.iter().enumerate().rev() {
        // Another open part is assumed along with this one.
        if known.get(n) == Some(&true) || part.conjuncts[n] {
            continue;
        }
        whole = match b {
            Before::Condition(e, holds) => {
                let condition = formula(e, *holds)?;
                before.insert(0, condition.clone());
                under(&[condition], whole)
            }
            Before::Formula(f, true) => under(&[(*f).clone()], whole),
            Before::Formula(f, false) => under(&[Formula::Not(Box::new((*f).clone()))], whole),
            Before::Range(q) => {
                quantified = true;
                Formula::ForAll(Box::new(ForAll { body: whole, ..(*q).clone() }))
            }
        };
    }
    let compared = compared.filter(|_| !quantified).map(|(op, a, b)| (before, op, a, b));
    Some(SourcePart { whole, compared })
}

/// The formula, guarded by all of these.
fn under(guards: &[Formula], f: Formula) -> Formula {
    guards.iter().rev().fold(f, |f, g| Formula::Implies(Box::new(g.clone()), Box::new(f)))
}

/// A condition of C as a formula, if it consists of comparisons. C's arithmetic may wrap around,
/// that of terms does not. A candidate may therefore mean something else; it is tried like any
/// other.
fn formula(e: &Expr, holds: bool) -> Option<Formula> {
    let both = |make: fn(Box<Formula>, Box<Formula>) -> Formula, a: &Expr, b: &Expr| {
        Some(make(Box::new(formula(a, holds)?), Box::new(formula(b, holds)?)))
    };
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => formula(a, !holds),
        ExprKind::And(a, b) if holds => both(Formula::And, a, b),
        ExprKind::And(a, b) => both(Formula::Or, a, b),
        ExprKind::Or(a, b) if holds => both(Formula::Or, a, b),
        ExprKind::Or(a, b) => both(Formula::And, a, b),
        ExprKind::Binary(op, a, b) if op.is_comparison() && a.ty.as_int().is_some() && b.ty.as_int().is_some() => {
            let op = parts::asserted(*op, holds);
            Some(Formula::Compare(op, term(a)?, term(b)?))
        }
        ExprKind::Cast(a) if e.ty.as_int().is_some() && a.ty.as_int().is_some() => formula(a, holds),
        _ if e.ty.as_int().is_some() => {
            let op = if holds { BinaryOp::NotEqual } else { BinaryOp::Equal };
            Some(Formula::Compare(op, term(e)?, Term::Int(0)))
        }
        _ => None,
    }
}

/// An expression of C as a term, where it is linear.
fn term(e: &Expr) -> Option<Term> {
    let binary = |op, a: &Expr, b: &Expr| Some(Term::Binary(op, Box::new(term(a)?), Box::new(term(b)?)));
    match &e.kind {
        ExprKind::Int(n) => Some(Term::Int(*n)),
        ExprKind::Load(l) if e.ty.as_int().is_some() => place(l).map(|p| Term::Read(Box::new(p))),
        ExprKind::Cast(a) if a.ty.as_int().is_some() => term(a),
        ExprKind::Unary(UnaryOp::Negate, a) => Some(Term::Negate(Box::new(term(a)?))),
        ExprKind::Binary(BinaryOp::Add, a, b) => binary(TermOp::Add, a, b),
        ExprKind::Binary(BinaryOp::Sub, a, b) => binary(TermOp::Sub, a, b),
        ExprKind::Binary(BinaryOp::Mul, a, b) => binary(TermOp::Mul, a, b),
        _ => None,
    }
}

fn place(l: &Lvalue) -> Option<TermLvalue> {
    let root = match &l.base {
        Base::Var(v) => {
            let lvalue = Lvalue { base: Base::Var(*v), path: Vec::new(), ty: l.ty.clone(), location: l.location };
            Root::Variable(lvalue)
        }
        Base::Deref(pointer) => {
            let (pointer, offset) = match &pointer.kind {
                ExprKind::Binary(BinaryOp::PointerAdd, p, i) => ((**p).clone(), Some(term(i)?)),
                _ => ((**pointer).clone(), None),
            };
            let ExprKind::Load(Lvalue { base: Base::Var(_), .. }) = pointer.kind else { return None };
            Root::Pointer { pointer, offset }
        }
    };
    let step = |s: &Step| match s {
        Step::Field(id, n) => Some(TermStep::Field(*id, *n)),
        Step::Index(i) => term(i).map(TermStep::Index),
    };
    let steps: Option<Vec<TermStep>> = l.path.iter().map(step).collect();
    Some(TermLvalue { root, steps: steps?, ty: l.ty.clone(), location: l.location })
}

/// The only cell that the formula reads, with the term of its index; `None` if it reads several
/// cells, or in several dimensions.
fn only_cell(f: &Formula) -> Option<(Term, TermLvalue)> {
    let mut cells: Vec<(Vec<Term>, TermLvalue)> = Vec::new();
    f.each_place(&mut |p| {
        let mut by = Vec::new();
        p.each_term(&mut |t| by.push(t.clone()));
        if !by.is_empty() && !cells.iter().any(|(_, q)| is_same_place(p, q)) {
            cells.push((by, p.clone()));
        }
    });
    match &cells[..] {
        [(by, place)] if by.len() == 1 => Some((by[0].clone(), place.clone())),
        _ => None,
    }
}

fn with_index(place: &TermLvalue, by: &Term) -> TermLvalue {
    place.map_terms(&mut |_| by.clone())
}

/// Whether two terms are spelled the same; their source locations are ignored.
fn is_same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Read(p), Term::Read(q)) => is_same_place(p, q),
        (Term::Negate(a), Term::Negate(b)) => is_same(a, b),
        (Term::Binary(op, a, c), Term::Binary(o, b, d)) => op == o && is_same(a, b) && is_same(c, d),
        _ => a == b,
    }
}

fn is_same_place(p: &TermLvalue, q: &TermLvalue) -> bool {
    let base = |l: &Lvalue| (l.as_var(), l.path.len());
    let root = match (&p.root, &q.root) {
        (Root::Variable(a), Root::Variable(b)) => base(a) == base(b),
        (Root::Pointer { pointer: a, offset: x }, Root::Pointer { pointer: b, offset: y }) => {
            let same = match (&a.kind, &b.kind) {
                (ExprKind::Load(a), ExprKind::Load(b)) => base(a) == base(b) && a.path.is_empty(),
                _ => false,
            };
            same && match (x, y) {
                (Some(x), Some(y)) => is_same(x, y),
                (None, None) => true,
                _ => false,
            }
        }
        _ => false,
    };
    root && p.steps.len() == q.steps.len()
        && p.steps.iter().zip(&q.steps).all(|(a, b)| match (a, b) {
            (TermStep::Index(a), TermStep::Index(b)) => is_same(a, b),
            (a, b) => a == b,
        })
}

/// The term with one cell replaced by another, and its index replaced by the quantified variable.
fn replaced(t: &Term, index: &Term, from: &TermLvalue, to: &TermLvalue, bound: BoundId) -> Term {
    if is_same(t, index) && !matches!(index, Term::Int(_)) {
        return Term::Bound(bound);
    }
    let again = |t: &Term| Box::new(replaced(t, index, from, to, bound));
    match t {
        Term::Read(p) if is_same_place(p, from) => Term::Read(Box::new(to.clone())),
        Term::Negate(a) => Term::Negate(again(a)),
        Term::Binary(op, a, b) => Term::Binary(*op, again(a), again(b)),
        other => other.clone(),
    }
}
