//! What one iteration of a loop does to one cell of an array, any: a list of cases.
//!
//! **Meaning.** The value of the cell after the iteration is a term over its value before it, the
//! other cells before it, the number of the iteration and the indexes of the cell. [`cases`] splits
//! it at its conditions: exactly one case applies. A case whose value is the value before the
//! iteration leaves the cell as it was. All others are writes.

use smalti_terms::{Context, Node, Sort, Term, Var};

/// The number of cases beyond which the value of one cell is not split.
const MOST_CASES: usize = 48;

/// One case of a term.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// When it applies: all of these literals hold.
    pub(super) given: Vec<Term>,
    /// The value then.
    pub(super) value: Term,
}

/// The parts of a junction, and what is negated.
fn literals(c: &Context, p: Term, found: &mut Vec<Term>) {
    match &*c.node(p) {
        Node::And(ps) | Node::Or(ps) => ps.iter().for_each(|q| literals(c, *q, found)),
        Node::Not(q) => literals(c, *q, found),
        _ => found.push(p),
    }
}

/// A literal of a condition on which the term depends, outside of binders. `is_asked` says of an
/// `ite` whether its condition counts. Equations about one of the variables `first` are preferred.
pub(super) fn literal_of(c: &Context, t: Term, first: &[Var], is_asked: &dyn Fn(Term) -> bool) -> Option<Term> {
    let mut found: Vec<Term> = Vec::new();
    c.each_part(t, &mut |part, below| {
        if below {
            return false;
        }
        if let Node::Ite(p, ..) = *c.node(part)
            && is_asked(part)
        {
            literals(c, p, &mut found);
        }
        true
    });
    let is_about = |p: &Term| first.iter().any(|k| c.mentions(*p, *k));
    let is_equation = |p: &Term| matches!(*c.node(*p), Node::Zero(_));
    let best = found.iter().find(|p| is_equation(p) && is_about(p));
    best.or_else(|| found.iter().find(|p| is_about(p))).or(found.first()).copied()
}

/// The cases of a term; `None` if there are more than `most`. See [`literal_of`] for the other
/// arguments.
pub(super) fn cases(
    c: &Context,
    t: Term,
    first: &[Var],
    is_asked: &dyn Fn(Term) -> bool,
    most: usize,
) -> Option<Vec<Case>> {
    let (mut done, mut open) = (Vec::new(), vec![Case { given: Vec::new(), value: t }]);
    while let Some(case) = open.pop() {
        if done.len() + open.len() >= most {
            return None;
        }
        let Some(literal) = literal_of(c, case.value, first, is_asked) else {
            done.push(case);
            continue;
        };
        if case.given.len() >= most {
            return None;
        }
        for literal in [c.not(literal), literal] {
            let given: Vec<Term> = case.given.iter().copied().chain([literal]).collect();
            if c.as_truth(c.and(&given)) != Some(false) {
                open.push(Case { given, value: c.cofactor(case.value, literal) });
            }
        }
    }
    Some(done)
}

/// An array that a loop writes.
#[derive(Clone, Copy)]
pub(super) struct Array {
    /// What it holds before an iteration.
    pub(super) before: Var,
    /// What it holds before the loop.
    pub(super) start: Term,
    /// The number of its indexes.
    pub(super) rank: u32,
}

/// What one iteration does to one cell.
pub(super) struct Cell {
    pub(super) array: Array,
    /// The number of the iteration.
    pub(super) n: Var,
    /// The indexes of the cell.
    pub(super) indexes: Vec<Var>,
    /// Its value before the iteration.
    pub(super) value: Var,
    /// The other cells before the iteration.
    pub(super) others: Var,
    /// Its value after the iteration.
    pub(super) after: Term,
    /// The cases of that.
    pub(super) cases: Vec<Case>,
}

impl Cell {
    /// The cell of an array whose value after an iteration is `step`; `None` if there are too many
    /// cases.
    pub(super) fn new(c: &Context, array: Array, step: Term, n: Var) -> Option<Cell> {
        let indexes: Vec<Var> = (0..array.rank).map(|k| c.variable(format!("k{k}"), Sort::Int)).collect();
        let at: Vec<Term> = indexes.iter().map(|k| c.var(*k)).collect();
        let value = c.variable("cell", Sort::Int);
        let others = c.variable("others", Sort::Array(array.rank));
        let split = c.lambda_of(array.rank, |here| {
            let same: Vec<Term> = here.iter().zip(&at).map(|(a, b)| c.eq(*a, *b)).collect();
            c.ite(c.and(&same), c.var(value), c.read(c.var(others), here))
        });
        let after = c.substitute(c.read(step, &at), array.before, split);
        let mut cell = Cell { array, n, indexes, value, others, after, cases: Vec::new() };
        cell.cases = cell.cases_of(c, after)?;
        Some(cell)
    }

    /// The cases of what the iteration leaves: each either is the value before the iteration, or
    /// no longer depends on a condition about the cell.
    pub(super) fn cases_of(&self, c: &Context, after: Term) -> Option<Vec<Case>> {
        let is_asked = |ite: Term| {
            let Node::Ite(p, ..) = *c.node(ite) else { return false };
            c.mentions(ite, self.value)
                || c.mentions(ite, self.others)
                || self.indexes.iter().any(|k| c.mentions(p, *k))
        };
        cases(c, after, &self.indexes, &is_asked, MOST_CASES)
    }

    /// The indexes as terms.
    pub(super) fn at(&self, c: &Context) -> Vec<Term> {
        self.indexes.iter().map(|k| c.var(*k)).collect()
    }

    /// What the cell holds before the loop.
    pub(super) fn start(&self, c: &Context) -> Term {
        c.read(self.array.start, &self.at(c))
    }

    /// The cases in which the iteration may change the cell.
    pub(super) fn writes<'a>(&'a self, c: &Context) -> impl Iterator<Item = &'a Case> {
        let value = c.var(self.value);
        self.cases.iter().filter(move |case| case.value != value)
    }
}
