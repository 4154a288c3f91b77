//! Finds proposals for one loop.

use super::parts::{Bounds, Cell, Claimed, Flag, MOST_ENDS, Names};
use crate::deduce::candidates::{declared, moved};
use crate::program::{
    Base, BinaryOp, Block, BoundId, ClaimRole, Expr, ExprKind, ForAll, Formula, Location, Loop, Lvalue, Part, Program,
    Root, SnapshotId, Step, Stmt, StmtKind, Term, TermLvalue, TermOp, TermStep, Type, Use, VarId, Visit, each_part,
    each_stmt, print,
};
use std::collections::{HashMap, HashSet};

/// Limit on the proposals for a loop, before runs have spoken.
const MOST_PROPOSED: usize = 3000;

/// Finds proposals for one loop.
pub(super) struct Finder<'p> {
    pub(super) program: &'p Program,
    pub(super) s: &'p Stmt,
    at: Location,
    /// The integer variables that the loop changes, those before others that its condition or its
    /// indexes mention. Flags are not among them.
    pub(super) moved: Vec<VarId>,
    /// The flags that the loop changes.
    pub(super) flags: Vec<Flag>,
    /// The variables, arrays included, that the loop mentions.
    mentioned: HashSet<VarId>,
    /// The variables that are declared in the loop.
    pub(super) declared: HashSet<VarId>,
    /// Whether the source says what holds at the head.
    pub(super) is_annotated: bool,
    /// The ends of stretches.
    pub(super) ends: Vec<Term>,
    /// By variable that is never read in the loop: variables of the loop that are assigned to it.
    pub(super) returned: HashMap<VarId, Vec<VarId>>,
}

impl<'p> Finder<'p> {
    pub(super) fn of(program: &'p Program, body: &'p Block, s: &'p Stmt, l: &'p Loop) -> Finder<'p> {
        let is_number = |v: VarId| matches!(program.variable(v).ty, Type::Int(_));
        let (mut changed, mut mentioned, mut indexes) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut look = |part: Part<'_>| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), path, .. }, how) = part {
                mentioned.insert(*v);
                if how == Use::Write && path.is_empty() && is_number(*v) && !changed.contains(v) {
                    changed.push(*v);
                }
                for step in path {
                    if let Step::Index(index) = step {
                        indexes.extend(moved(index).map(|(v, _)| v));
                    }
                }
            }
        };
        each_part(s, &mut look);
        for block in s.blocks() {
            each_stmt(block, &mut |s| each_part(s, &mut look));
        }
        let declared = declared(s);
        changed.retain(|v| !declared.contains(v) && !program.variable(*v).origin.is_temporary());
        let mut tested = Names::default();
        tested.expr(&l.condition);
        changed.sort_by_key(|v| (!tested.found.contains(v), !indexes.contains(v)));
        let mut returned: HashMap<VarId, Vec<VarId>> = HashMap::new();
        // What is returned may go through several variables.
        for _ in 0..4 {
            each_stmt(body, &mut |s| {
                let StmtKind::Assign(to, e) = &s.kind else { return };
                let (Some(to), Some((from, 0))) = (to.as_var(), moved(e)) else { return };
                if mentioned.contains(&to) {
                    return;
                }
                let sources =
                    if changed.contains(&from) { vec![from] } else { returned.get(&from).cloned().unwrap_or_default() };
                for v in sources {
                    let known = returned.entry(to).or_default();
                    if !known.contains(&v) {
                        known.push(v);
                    }
                }
            });
        }
        let flags: Vec<Flag> = changed.iter().filter_map(|v| Flag::of(*v, body)).collect();
        changed.retain(|v| flags.iter().all(|flag| flag.variable != *v));
        let at = s.location;
        let is_annotated = l
            .step
            .iter()
            .any(|s| matches!(&s.kind, StmtKind::Claim(claim) if matches!(claim.role, ClaimRole::Assert(_))));
        let mut finder = Finder {
            program,
            s,
            at,
            moved: changed,
            flags,
            mentioned,
            declared,
            is_annotated,
            ends: Vec::new(),
            returned,
        };
        finder.ends = finder.stretch_ends(body, s, l);
        finder
    }

    /// Whether a variable is a number that the loop leaves alone.
    pub(super) fn is_kept(&self, v: VarId) -> bool {
        let is_changed = self.moved.contains(&v) || self.flags.iter().any(|flag| flag.variable == v);
        matches!(self.program.variable(v).ty, Type::Int(_)) && !is_changed && !self.declared.contains(&v)
    }

    pub(super) fn variable(&self, v: VarId) -> Term {
        Term::of_variable(Lvalue::var(self.program, v, self.at))
    }

    pub(super) fn sum(&self, v: VarId, n: i128) -> Term {
        self.variable(v).plus(n)
    }

    pub(super) fn proposals(&self, claims: &[Claimed], bounds: &Bounds) -> Vec<Formula> {
        let mut found = Found { finder: self, all: Vec::new(), texts: HashSet::new() };
        if self.moved.is_empty() && self.flags.is_empty() {
            return found.all;
        }
        self.of_numbers(&mut found);
        for claim in claims.iter().filter(|c| self.concerns(&c.formula)) {
            self.of_claim(claim, &mut found);
            self.of_moments(&claim.formula, &mut found);
        }
        self.of_assignments(bounds, &mut found);
        self.of_merges(&mut found);
        self.of_comparisons(&mut found);
        self.of_flags(&mut found);
        found.all
    }

    /// Whether a formula is about an array or a variable that the loop mentions, or about a result
    /// that it finds.
    fn concerns(&self, f: &Formula) -> bool {
        let mut names = Names::default();
        names.formula(f);
        names.found.iter().any(|v| self.mentioned.contains(v) || self.returned.contains_key(v))
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

    pub(super) fn element(&self, array: &Lvalue, index: Term) -> Term {
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

    /// The cell that an expression reads.
    pub(super) fn cell(&self, e: &Expr) -> Option<Cell> {
        match &e.without_integer_casts().kind {
            ExprKind::Load(l) => self.cell_at(l),
            _ => None,
        }
    }

    /// The cell that an lvalue is.
    pub(super) fn cell_at(&self, l: &Lvalue) -> Option<Cell> {
        let (Base::Var(v), [Step::Index(index)]) = (&l.base, &l.path[..]) else { return None };
        let (index, offset) = moved(index)?;
        let array = || Lvalue::var(self.program, *v, self.at);
        matches!(l.ty, Type::Int(_)).then(|| Cell { array: array(), index, offset })
    }

    pub(super) fn number(&self, e: &Expr) -> Option<Term> {
        let e = e.without_integer_casts();
        match &e.kind {
            ExprKind::Int(n) => Some(Term::Int(*n)),
            ExprKind::Load(l) => l.as_var().map(|v| self.variable(v)),
            _ => None,
        }
    }
}

/// Different formulas, not too many.
pub(super) struct Found<'f> {
    finder: &'f Finder<'f>,
    all: Vec<Formula>,
    texts: HashSet<String>,
}

impl Extend<Formula> for Found<'_> {
    fn extend<I: IntoIterator<Item = Formula>>(&mut self, all: I) {
        all.into_iter().for_each(|f| self.add(f));
    }
}

impl Found<'_> {
    /// The formulas so far.
    pub(super) fn all(&self) -> &[Formula] {
        &self.all
    }

    pub(super) fn add(&mut self, f: Formula) {
        let f = match f {
            Formula::Compare(op, a, b) => match self.finder.compared(op, a, b) {
                Some(f) => f,
                None => return,
            },
            f => f,
        };
        if self.all.len() < MOST_PROPOSED && self.texts.insert(print::formula(self.finder.program, &f)) {
            self.all.push(f);
        }
    }
}
