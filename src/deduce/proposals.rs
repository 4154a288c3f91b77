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
//!   in a stretch between variables of the loop.
//!
//! Most proposals are wrong. Runs of the program with a few inputs ([`Runs`]) show that; those that
//! stay are guesses, of which [`super::candidates`] keeps the inductive ones. So nothing rests on a
//! proposal or on a run.

use crate::program::{
    Assertion, AssertionId, Base, BinaryOp, Block, BoundId, Claim, ClaimRole, Expr, ExprKind, Fold, ForAll, Formula,
    Location, Loop, LoopKind, Lvalue, Part, Program, Root, SnapshotId, Step, Stmt, StmtId, StmtKind, Term, TermLvalue,
    TermOp, TermStep, Type, Use, VarId, Visit, VisitMut, each_part, each_stmt, print,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;

/// Limits on the proposals for a loop: before and after runs have spoken.
const MOST_PROPOSED: usize = 1500;
const MOST_KEPT: usize = 30;
/// The greatest number of variables of a loop at which stretches end.
const MOST_ENDS: usize = 4;

/// Finds out which checks of a program fail, or have no value, in some run of a few.
pub type Runs<'r> = dyn FnMut(&Program) -> BTreeSet<AssertionId> + 'r;

/// What is proposed for each loop.
pub(super) type Proposals = HashMap<StmtId, Vec<Formula>>;

/// A proposal, and the checks that tell whether it is true, and whether its range is empty.
struct Proposal {
    formula: Formula,
    holds: AssertionId,
    empty: Option<AssertionId>,
}

/// The proposals for all loops of a body that no run refutes.
pub(super) fn proposals(program: &Program, body: &Block, runs: &mut Runs<'_>) -> Proposals {
    let mut watched = program.clone();
    let mut by_loop: HashMap<StmtId, Vec<Proposal>> = HashMap::new();
    let claims = claims(body);
    each_stmt(body, &mut |s| {
        let StmtKind::Loop(l) = &s.kind else { return };
        let mut check = |at| {
            watched.assertions.push(Assertion {
                id: String::new(),
                function: String::new(),
                location: at,
                condition: String::new(),
                failure: None,
                unsupported: None,
            });
            AssertionId((watched.assertions.len() - 1) as u32)
        };
        let of_loop = Finder::of(program, body, s, l).proposals(&claims);
        let proposals = of_loop.into_iter().map(|formula| {
            let empty = matches!(formula, Formula::ForAll(_)).then(|| check(s.location));
            Proposal { formula, holds: check(s.location), empty }
        });
        let proposals: Vec<Proposal> = proposals.collect();
        if !proposals.is_empty() {
            by_loop.insert(s.id(), proposals);
        }
    });
    if by_loop.is_empty() {
        return Proposals::new();
    }
    let body = Watched { proposals: &by_loop }.rebuilt(body);
    watched.functions[program.entry.0 as usize].body = Some(body);
    let failing = runs(&watched);
    let stays = |p: &Proposal| !failing.contains(&p.holds) && p.empty.is_none_or(|empty| failing.contains(&empty));
    let mut found = Proposals::new();
    for (id, all) in by_loop {
        let kept: Vec<Formula> = all.into_iter().filter(stays).map(|p| p.formula).take(MOST_KEPT).collect();
        kept.iter().for_each(|f| log::debug!("proposed for a loop: {}", print::formula(program, f)));
        found.insert(id, kept);
    }
    found
}

/// Puts the checks of proposals where runs are at the heads of loops.
struct Watched<'a> {
    proposals: &'a HashMap<StmtId, Vec<Proposal>>,
}

impl Fold for Watched<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let (StmtKind::Loop(l), Some(proposals)) = (&s.kind, self.proposals.get(&s.id())) else {
            return self.fold_inside(s, out);
        };
        let checks = || {
            let check = |formula: &Formula, id| {
                let claim = Claim { formula: formula.clone(), role: ClaimRole::Check(id) };
                s.with(StmtKind::Claim(Box::new(claim)))
            };
            let mut all = Block::new();
            for p in proposals {
                all.push(check(&p.formula, p.holds));
                if let (Formula::ForAll(q), Some(id)) = (&p.formula, p.empty) {
                    all.push(check(&Formula::Compare(BinaryOp::LessEqual, q.high.clone(), q.low.clone()), id));
                }
            }
            all
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

/// The formulas that the body claims, in their parts.
fn claims(body: &Block) -> Vec<Formula> {
    let mut found = Vec::new();
    each_stmt(body, &mut |s| {
        if let StmtKind::Claim(claim) = &s.kind
            && claim.role.assertion().is_some()
        {
            atoms(&claim.formula, &mut found);
        }
    });
    found
}

/// The parts of a formula, without the conditions under which they are claimed.
fn atoms(f: &Formula, found: &mut Vec<Formula>) {
    match f {
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Iff(a, b) => {
            atoms(a, found);
            atoms(b, found);
        }
        Formula::Implies(_, b) => atoms(b, found),
        Formula::ForAll(_) => found.push(f.clone()),
        Formula::Not(a) if matches!(**a, Formula::ForAll(_)) => found.push(f.clone()),
        // Where pointers lead is no matter of loops.
        Formula::Not(_) | Formula::Constant(_) | Formula::Memory(_) => {}
        Formula::Compare(..) => found.push(f.clone()),
    }
}

/// Finds proposals for one loop.
struct Finder<'p> {
    program: &'p Program,
    s: &'p Stmt,
    at: Location,
    /// The integer variables that the loop changes, those before others that its condition or its
    /// indexes mention.
    moved: Vec<VarId>,
    /// The variables, arrays included, that the loop mentions.
    mentioned: HashSet<VarId>,
    /// The ends of stretches.
    ends: Vec<Term>,
    /// By variable that is never read in the loop: variables of the loop that are assigned to it.
    returned: HashMap<VarId, Vec<VarId>>,
}

impl<'p> Finder<'p> {
    fn of(program: &'p Program, body: &'p Block, s: &'p Stmt, l: &'p Loop) -> Finder<'p> {
        let is_number = |v: VarId| matches!(program.variable(v).ty, Type::Int(_));
        let (mut moved, mut mentioned, mut indexes) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut look = |part: Part<'_>| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), path, .. }, how) = part {
                mentioned.insert(*v);
                if how == Use::Write && path.is_empty() && is_number(*v) && !moved.contains(v) {
                    moved.push(*v);
                }
                for step in path {
                    if let Step::Index(index) = step {
                        indexes.extend(super::candidates::moved(index).map(|(v, _)| v));
                    }
                }
            }
        };
        each_part(s, &mut look);
        for block in s.blocks() {
            each_stmt(block, &mut |s| each_part(s, &mut look));
        }
        let mut declared = HashSet::new();
        for block in s.blocks() {
            each_stmt(block, &mut |s| {
                if let StmtKind::Declare(v) = s.kind {
                    declared.insert(v);
                }
            });
        }
        moved.retain(|v| !declared.contains(v) && !program.variable(*v).origin.is_temporary());
        let mut tested = Names::default();
        tested.expr(&l.condition);
        moved.sort_by_key(|v| (!tested.found.contains(v), !indexes.contains(v)));
        let mut returned: HashMap<VarId, Vec<VarId>> = HashMap::new();
        // What is returned may go through several variables.
        for _ in 0..4 {
            each_stmt(body, &mut |s| {
                let StmtKind::Assign(to, e) = &s.kind else { return };
                let (Some(to), Some((from, 0))) = (to.as_var(), super::candidates::moved(e)) else { return };
                if mentioned.contains(&to) {
                    return;
                }
                let sources =
                    if moved.contains(&from) { vec![from] } else { returned.get(&from).cloned().unwrap_or_default() };
                for v in sources {
                    let known = returned.entry(to).or_default();
                    if !known.contains(&v) {
                        known.push(v);
                    }
                }
            });
        }
        let at = s.location;
        let mut finder = Finder { program, s, at, moved, mentioned, ends: Vec::new(), returned };
        finder.ends = finder.stretch_ends(body, l);
        finder
    }

    fn variable(&self, v: VarId) -> Term {
        Term::of_variable(Lvalue::var(self.program, v, self.at))
    }

    fn sum(&self, v: VarId, n: i128) -> Term {
        match n {
            0 => self.variable(v),
            n => Term::Binary(TermOp::Add, Box::new(self.variable(v)), Box::new(Term::Int(n))),
        }
    }

    /// Whether a stretch with these ends has other elements as the loop goes on.
    fn moves(&self, low: &Term, high: &Term) -> bool {
        [low, high].into_iter().any(|end| match end {
            Term::Binary(_, v, _) => self.moved.iter().any(|w| v.is_same(&self.variable(*w))),
            v => self.moved.iter().any(|w| v.is_same(&self.variable(*w))),
        })
    }

    /// 0, variables that the loop moves, and the same plus 1, what they begin with, and what the
    /// condition compares them with.
    fn stretch_ends(&self, body: &Block, l: &Loop) -> Vec<Term> {
        let mut found = vec![Term::Int(0)];
        let mut add = |t: Term| {
            if !found.iter().any(|other| other.is_same(&t)) {
                found.push(t);
            }
        };
        for v in self.moved.iter().take(MOST_ENDS) {
            add(self.variable(*v));
            add(self.sum(*v, 1));
        }
        let mut compared = Vec::new();
        comparisons(&l.condition, &mut |_, a, b| compared.extend([a.clone(), b.clone()]));
        each_stmt(body, &mut |s| {
            if let StmtKind::Assign(to, e) = &s.kind
                && to.as_var().is_some_and(|v| self.moved.iter().take(MOST_ENDS).any(|m| *m == v))
            {
                compared.push(e.clone());
            }
        });
        for e in compared {
            if let Some(n) = e.without_integer_casts().as_int() {
                add(Term::Int(n));
            } else if let Some((v, n)) = super::candidates::moved(&e)
                && !self.moved.contains(&v)
            {
                add(self.sum(v, n));
                add(self.sum(v, n + 1));
            }
        }
        found
    }

    fn proposals(&self, claims: &[Formula]) -> Vec<Formula> {
        let mut found = Found { program: self.program, all: Vec::new(), texts: HashSet::new() };
        if self.moved.is_empty() {
            return found.all;
        }
        self.of_numbers(&mut found);
        for claim in claims.iter().filter(|c| self.concerns(c)) {
            self.of_claim(claim, &mut found);
            self.of_moments(claim, &mut found);
        }
        self.of_comparisons(&mut found);
        found.all
    }

    /// Whether a formula is about an array or a variable that the loop mentions.
    fn concerns(&self, f: &Formula) -> bool {
        let mut names = Names::default();
        names.formula(f);
        names.found.iter().any(|v| self.mentioned.contains(v))
    }

    fn of_claim(&self, claim: &Formula, found: &mut Found<'_>) {
        // The result is that of the variable which is returned later.
        let mut names = Names::default();
        names.formula(claim);
        let mut forms = vec![claim.clone()];
        for (result, sources) in self.returned.iter().filter(|(v, _)| names.found.contains(v)) {
            forms = sources
                .iter()
                .flat_map(|v| {
                    let (from, to) = (self.variable(*result), self.variable(*v));
                    forms.iter().map(|f| replaced(f, &from, &to)).collect::<Vec<_>>()
                })
                .collect();
        }
        for form in forms {
            let form = match &form {
                Formula::Not(inside) => &**inside,
                form => form,
            };
            let is_denied = matches!(claim, Formula::Not(_));
            let mut put = |f: Formula| found.add(if is_denied { Formula::Not(Box::new(f)) } else { f });
            put(form.clone());
            let (mut lows, mut highs) = (Vec::new(), Vec::new());
            ranges(form, &mut lows, &mut highs);
            for high in &highs {
                for end in self.ends.iter().filter(|end| self.moves(end, end)) {
                    put(with_ranges(form, &mut |_, h| h.is_same(high).then(|| end.clone())));
                    put(replaced(form, high, end));
                }
            }
            for low in &lows {
                for end in self.ends.iter().filter(|end| self.moves(end, end)) {
                    put(with_ranges(form, &mut |l, _| l.is_same(low).then(|| end.clone())));
                }
            }
            if let Formula::ForAll(outer) = form
                && let Formula::ForAll(inner) = &outer.body
            {
                // Every element of one stretch beside every element of another, or of the same.
                let of = |from: &Term, to: &Term, low: &Term, high: &Term| {
                    let inner = ForAll { low: low.clone(), high: high.clone(), ..(**inner).clone() };
                    let body = Formula::ForAll(Box::new(inner));
                    Formula::ForAll(Box::new(ForAll { low: from.clone(), high: to.clone(), body, ..(**outer).clone() }))
                };
                for end in &self.ends {
                    put(of(&outer.low, end, end, &inner.high));
                    for other in self.ends.iter().filter(|other| self.moves(end, other)) {
                        put(of(&outer.low, end, end, other));
                        put(of(&outer.low, end, other, &inner.high));
                        put(of(end, other, &inner.low, other));
                        put(of(end, other, other, &inner.high));
                    }
                }
            }
        }
    }

    /// How the variables that the loop moves are related to others: by order, by a constant sum or
    /// difference.
    fn of_numbers(&self, found: &mut Found<'_>) {
        let moved = &self.moved[..self.moved.len().min(MOST_ENDS)];
        for (n, v) in moved.iter().enumerate() {
            for end in self.ends.iter().filter(|end| !end.is_same(&self.variable(*v))) {
                if matches!(end, Term::Binary(_, a, _) if moved.iter().any(|w| a.is_same(&self.variable(*w)))) {
                    continue;
                }
                found.add(Formula::Compare(BinaryOp::LessEqual, self.variable(*v), end.clone()));
                found.add(Formula::Compare(BinaryOp::GreaterEqual, self.variable(*v), end.clone()));
            }
            for w in &moved[n + 1..] {
                for op in [TermOp::Add, TermOp::Sub] {
                    for end in &self.ends {
                        let both = Term::Binary(op, Box::new(self.variable(*v)), Box::new(self.variable(*w)));
                        found.add(Formula::Compare(BinaryOp::Equal, both, end.clone()));
                    }
                }
            }
        }
    }

    /// That a stretch of an array is as it was at a moment that a claim names.
    fn of_moments(&self, claim: &Formula, found: &mut Found<'_>) {
        struct Earlier(Vec<(SnapshotId, TermLvalue)>);
        impl<'p> Visit<'p> for Earlier {
            fn term(&mut self, t: &'p Term) {
                if let Term::At(id, place) = t {
                    self.0.push((*id, (**place).clone()));
                }
                self.walk_term(t);
            }

            fn ty(&mut self, _: &'p Type) {}
        }
        let mut earlier = Earlier(Vec::new());
        earlier.formula(claim);
        for (id, place) in earlier.0 {
            let Root::Variable(array) = &place.root else { continue };
            if place.steps.len() != 1 || !array.as_var().is_some_and(|v| self.mentioned.contains(&v)) {
                continue;
            }
            let bound = BoundId(0);
            let now = TermLvalue { steps: vec![TermStep::Index(Term::Bound(bound))], ..place };
            let then = Term::At(id, Box::new(now.clone()));
            let body = Formula::Compare(BinaryOp::Equal, Term::Read(Box::new(now)), then);
            for low in &self.ends {
                for high in self.ends.iter().filter(|high| !low.is_same(high) && self.moves(low, high)) {
                    let (name, low, high, body) = ("k".to_owned(), low.clone(), high.clone(), body.clone());
                    found.add(Formula::ForAll(Box::new(ForAll { bound, name, low, high, body })));
                }
            }
        }
    }

    /// Proposals from comparisons with a cell whose index is a variable plus a number.
    fn of_comparisons(&self, found: &mut Found<'_>) {
        let mut compared: Vec<(BinaryOp, Expr, Expr)> = Vec::new();
        {
            let mut look = |e: &Expr| comparisons(e, &mut |op, a, b| compared.push((op, a.clone(), b.clone())));
            let mut of = |s: &Stmt| match &s.kind {
                StmtKind::If(c, ..) => look(c),
                StmtKind::Loop(l) => look(&l.condition),
                _ => {}
            };
            of(self.s);
            for block in self.s.blocks() {
                each_stmt(block, &mut of);
            }
        }
        for (op, a, b) in compared {
            for (op, cell, other) in [(Some(op), &a, &b), (op.exchanged(), &b, &a)] {
                let Some(op) = op else { continue };
                let Some((array, v, offset)) = self.cell(cell) else { continue };
                let bound = BoundId(0);
                let at_bound = |n: i128, array: &Lvalue| {
                    let index = match n {
                        0 => Term::Bound(bound),
                        n => Term::Binary(TermOp::Add, Box::new(Term::Bound(bound)), Box::new(Term::Int(n))),
                    };
                    self.element(array, index)
                };
                let left = at_bound(0, &array);
                let right = match self.cell(other) {
                    // Both move.
                    Some((array, w, n)) if w == v => at_bound(n - offset, &array),
                    Some((array, w, n)) => self.element(&array, self.sum(w, n)),
                    None => match self.number(other) {
                        Some(t) => t,
                        None => continue,
                    },
                };
                for low in &self.ends {
                    for high in &self.ends {
                        if low.is_same(high) || !self.moves(low, high) {
                            continue;
                        }
                        for op in [Some(op), op.negated()].into_iter().flatten() {
                            let body = Formula::Compare(op, left.clone(), right.clone());
                            found.add(Formula::ForAll(Box::new(ForAll {
                                bound,
                                name: "k".to_owned(),
                                low: low.clone(),
                                high: high.clone(),
                                body,
                            })));
                        }
                    }
                }
            }
        }
    }

    fn element(&self, array: &Lvalue, index: Term) -> Term {
        let ty = match &array.ty {
            Type::Array(element, _) => (**element).clone(),
            ty => ty.clone(),
        };
        let place = TermLvalue {
            root: Root::Variable(array.clone()),
            steps: vec![TermStep::Index(index)],
            ty,
            location: self.at,
        };
        Term::Read(Box::new(place))
    }

    /// The array, and the index as a variable plus a number, if an expression reads a cell.
    fn cell(&self, e: &Expr) -> Option<(Lvalue, VarId, i128)> {
        let ExprKind::Load(l) = &e.without_integer_casts().kind else { return None };
        let (Base::Var(v), [Step::Index(index)]) = (&l.base, &l.path[..]) else { return None };
        let (of, n) = super::candidates::moved(index)?;
        matches!(l.ty, Type::Int(_)).then(|| (Lvalue::var(self.program, *v, self.at), of, n))
    }

    fn number(&self, e: &Expr) -> Option<Term> {
        let e = e.without_integer_casts();
        match &e.kind {
            ExprKind::Int(n) => Some(Term::Int(*n)),
            ExprKind::Load(l) => l.as_var().map(|v| self.variable(v)),
            _ => None,
        }
    }
}

/// Different formulas, not too many.
struct Found<'p> {
    program: &'p Program,
    all: Vec<Formula>,
    texts: HashSet<String>,
}

impl Found<'_> {
    fn add(&mut self, f: Formula) {
        if self.all.len() < MOST_PROPOSED && self.texts.insert(print::formula(self.program, &f)) {
            self.all.push(f);
        }
    }
}

/// The comparisons of integers in a condition.
fn comparisons(e: &Expr, f: &mut impl FnMut(BinaryOp, &Expr, &Expr)) {
    match &e.kind {
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            comparisons(a, f);
            comparisons(b, f);
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => comparisons(a, f),
        ExprKind::Binary(op, a, b) if op.is_comparison() && matches!(a.ty, Type::Int(_)) => f(*op, a, b),
        _ => {}
    }
}

/// The variables that a formula or an expression names.
#[derive(Default)]
struct Names {
    found: HashSet<VarId>,
}

impl<'p> Visit<'p> for Names {
    fn variable(&mut self, v: &'p VarId) {
        self.found.insert(*v);
    }

    fn ty(&mut self, _: &'p Type) {}
}

/// The ends of the ranges of quantifiers that do not depend on other quantifiers.
fn ranges(f: &Formula, lows: &mut Vec<Term>, highs: &mut Vec<Term>) {
    let Formula::ForAll(q) = f else { return };
    for (t, list) in [(&q.low, &mut *lows), (&q.high, &mut *highs)] {
        if !list.iter().any(|other| other.is_same(t)) && !is_bound(t) {
            list.push(t.clone());
        }
    }
    ranges(&q.body, lows, highs);
}

fn is_bound(t: &Term) -> bool {
    match t {
        Term::Bound(_) => true,
        Term::Binary(_, a, b) => is_bound(a) || is_bound(b),
        _ => false,
    }
}

/// The formula with other ranges. `of` gets the low and the high end, and returns what takes the
/// place of the one that it is asked about.
fn with_ranges(f: &Formula, of: &mut dyn FnMut(&Term, &Term) -> Option<Term>) -> Formula {
    let Formula::ForAll(q) = f else { return f.clone() };
    let nowhere = Term::Bound(BoundId(u32::MAX));
    let low = of(&q.low, &nowhere).unwrap_or_else(|| q.low.clone());
    let high = of(&nowhere, &q.high).unwrap_or_else(|| q.high.clone());
    let body = with_ranges(&q.body, of);
    Formula::ForAll(Box::new(ForAll { bound: q.bound, name: q.name.clone(), low, high, body }))
}

/// The formula with `to` in the place of `from`.
fn replaced(f: &Formula, from: &Term, to: &Term) -> Formula {
    struct Replaced<'t>(&'t Term, &'t Term);
    impl VisitMut for Replaced<'_> {
        fn term(&mut self, t: &mut Term) {
            if t.is_same(self.0) {
                *t = self.1.clone();
            } else {
                self.walk_term(t);
            }
        }
    }
    let mut f = f.clone();
    Replaced(from, to).formula(&mut f);
    f
}
