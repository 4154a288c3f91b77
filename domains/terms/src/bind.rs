//! Binders: opening, closing, and substitution without capture.
//!
//! A body in a node has numbers for its variables (de Bruijn); everything else works on open
//! bodies, whose variable is one that occurs nowhere else. So no rule ever shifts a number, and
//! terms that differ in the names of bound variables are the same node. (Charguéraud, "The locally
//! nameless representation", JAR 49, 2012.)
//!
//! Opening and closing only rename; they put the children of commutative nodes in order again and
//! apply no rule. Substitution applies the rules.

use crate::context::{Context, OpaqueKey, children};
use crate::name::{Term, Var};
use crate::node::{Node, Sort};
use crate::poly::Poly;
use std::collections::HashMap;

/// What a renaming replaces: bound variables by free ones, or free ones by bound ones.
enum Renaming<'a> {
    Open(&'a [Term]),
    Close(&'a [Var]),
}

impl Context {
    /// The body of a binder with one variable, with `t` for its variable; no rule is applied, so
    /// `t` must be a variable.
    pub fn open(&self, body: Term, t: Term) -> Term {
        self.open_all(body, &[t])
    }

    /// The body of a lambda, with variables for its variables.
    pub fn open_all(&self, body: Term, vars: &[Term]) -> Term {
        self.rename(body, 0, &Renaming::Open(vars), &mut HashMap::new())
    }

    pub(crate) fn close(&self, t: Term, vars: &[Var]) -> Term {
        self.rename(t, 0, &Renaming::Close(vars), &mut HashMap::new())
    }

    /// The body of a binder at the value `t` of its variable.
    pub fn instantiate(&self, body: Term, t: Term) -> Term {
        self.scoped(|v, k| self.substitute(self.open(body, k), v, t))
    }

    /// The term with `by` for the free variable `var`.
    pub fn substitute(&self, t: Term, var: Var, by: Term) -> Term {
        self.substitute_all(t, &[(var, by)])
    }

    /// The term with other terms for some free variables, all at once. The sorts must agree.
    pub fn substitute_all(&self, t: Term, map: &[(Var, Term)]) -> Term {
        self.replaced(t, map, &mut HashMap::new())
    }

    fn rename(&self, t: Term, depth: u32, by: &Renaming, memo: &mut HashMap<(Term, u32), Term>) -> Term {
        let untouched = match by {
            Renaming::Open(_) => self.loose(t) <= depth,
            Renaming::Close(vars) => vars.iter().all(|v| !self.mentions(t, *v)),
        };
        if untouched {
            return t;
        }
        if let Some(&known) = memo.get(&(t, depth)) {
            return known;
        }
        let result = match (&*self.node(t), by) {
            (Node::Bound(i), Renaming::Open(vars)) => {
                let j = (i - depth) as usize;
                vars.len().checked_sub(j + 1).map_or(t, |at| vars[at])
            }
            (Node::Var(v), Renaming::Close(vars)) => {
                let at = vars.iter().position(|w| w == v).expect("the variable occurs");
                self.intern(Node::Bound(depth + (vars.len() - 1 - at) as u32))
            }
            (node, _) => {
                let mut go = |t: Term, bound: u32| self.rename(t, depth + bound, by, memo);
                self.with_children(node, &mut go)
            }
        };
        memo.insert((t, depth), result);
        result
    }

    /// The node with other children, which differ from its own only in names.
    fn with_children(&self, node: &Node, go: &mut dyn FnMut(Term, u32) -> Term) -> Term {
        let mut all = |ts: &[Term]| ts.iter().map(|&t| go(t, 0)).collect::<Vec<_>>();
        let sorted = |mut ts: Vec<Term>| {
            ts.sort_unstable();
            ts
        };
        let node = match node {
            Node::Poly(p) => return self.from_poly(p.rename(|t| go(t, 0))),
            Node::Var(_) | Node::Bound(_) | Node::Truth(_) => node.clone(),
            Node::Apply(s, ts) => Node::Apply(*s, all(ts)),
            Node::Max(ts) => Node::Max(sorted(all(ts))),
            Node::Min(ts) => Node::Min(sorted(all(ts))),
            Node::Bits(op, ts) => Node::Bits(*op, sorted(all(ts))),
            Node::And(ts) => Node::And(sorted(all(ts))),
            Node::Or(ts) => Node::Or(sorted(all(ts))),
            Node::Power(c, t) => Node::Power(c.clone(), go(*t, 0)),
            Node::Wrap(w, t) => Node::Wrap(*w, go(*t, 0)),
            Node::NonNegative(t) => Node::NonNegative(go(*t, 0)),
            // Its sign is that of the first coefficient, so the order counts.
            Node::Zero(t) => return self.is_zero(go(*t, 0)),
            Node::Divides(c, t) => Node::Divides(c.clone(), go(*t, 0)),
            Node::Not(t) => Node::Not(go(*t, 0)),
            Node::Div(a, b) => Node::Div(go(*a, 0), go(*b, 0)),
            Node::Ite(p, a, b) => Node::Ite(go(*p, 0), go(*a, 0), go(*b, 0)),
            Node::Read(a, index) => Node::Read(go(*a, 0), index.iter().map(|&t| go(t, 0)).collect()),
            Node::Fold { op, lo, hi, seed, body } => {
                Node::Fold { op: *op, lo: go(*lo, 0), hi: go(*hi, 0), seed: seed.map(|s| go(s, 0)), body: go(*body, 1) }
            }
            Node::First(lo, hi, body) => Node::First(go(*lo, 0), go(*hi, 0), go(*body, 1)),
            Node::Last(lo, hi, body) => Node::Last(go(*lo, 0), go(*hi, 0), go(*body, 1)),
            Node::Nth(n, lo, hi, body) => Node::Nth(go(*n, 0), go(*lo, 0), go(*hi, 0), go(*body, 1)),
            Node::Lambda(rank, body) => Node::Lambda(*rank, go(*body, *rank)),
        };
        self.intern(node)
    }

    /// The term with variables replaced, and other parts that mention one of them as given.
    pub(crate) fn replaced_with(&self, t: Term, map: &[(Var, Term)], mut parts: HashMap<Term, Term>) -> Term {
        self.replaced(t, map, &mut parts)
    }

    fn replaced(&self, t: Term, map: &[(Var, Term)], memo: &mut HashMap<Term, Term>) -> Term {
        if map.iter().all(|(v, _)| !self.mentions(t, *v)) {
            return t;
        }
        if let Some(&known) = memo.get(&t) {
            return known;
        }
        let result = if self.spend(2) {
            self.replaced_in(&self.node(t), map, memo)
        } else {
            let mut key: Vec<(Var, Term)> = map.iter().copied().filter(|m| self.mentions(t, m.0)).collect();
            key.sort_unstable();
            let parts: Vec<Term> = key.iter().map(|m| m.1).collect();
            self.opaque(OpaqueKey::Substitution(t, key), &parts, self.sort(t))
        };
        memo.insert(t, result);
        result
    }

    fn replaced_in(&self, node: &Node, map: &[(Var, Term)], memo: &mut HashMap<Term, Term>) -> Term {
        let mut go = |t: Term| self.replaced(t, map, memo);
        let mut all = |ts: &[Term]| ts.iter().map(|&t| go(t)).collect::<Vec<_>>();
        match node {
            Node::Poly(p) => self.replaced_poly(p, map, memo),
            Node::Var(v) => map.iter().find(|m| m.0 == *v).map_or_else(|| self.var(*v), |m| m.1),
            Node::Bound(_) | Node::Truth(_) => self.intern(node.clone()),
            Node::Apply(s, ts) => self.apply(*s, &all(ts)),
            Node::Max(ts) => self.max_of(&all(ts)),
            Node::Min(ts) => self.min_of(&all(ts)),
            Node::Bits(op, ts) => self.bits(*op, &all(ts)),
            Node::And(ts) => self.and(&all(ts)),
            Node::Or(ts) => self.or(&all(ts)),
            Node::Power(c, t) => self.power(c.clone(), go(*t)),
            Node::Wrap(w, t) => self.wrap(*w, go(*t)),
            Node::NonNegative(t) => self.non_negative(go(*t)),
            Node::Zero(t) => self.is_zero(go(*t)),
            Node::Divides(c, t) => self.divides(c.clone(), go(*t)),
            Node::Not(t) => self.not(go(*t)),
            Node::Div(a, b) => self.div(go(*a), go(*b)),
            Node::Ite(p, a, b) => self.ite(go(*p), go(*a), go(*b)),
            Node::Read(a, index) => {
                let index: Vec<Term> = index.iter().map(|&t| go(t)).collect();
                self.read(go(*a), &index)
            }
            Node::Fold { op, lo, hi, seed, body } => {
                let (lo, hi, seed) = (go(*lo), go(*hi), seed.map(go));
                self.scoped(|v, k| {
                    let body = self.replaced(self.open(*body, k), map, memo);
                    self.fold_over(*op, v, lo, hi, seed, body)
                })
            }
            Node::First(lo, hi, body) => {
                let (lo, hi) = (go(*lo), go(*hi));
                self.scoped(|v, k| self.first_over(v, lo, hi, self.replaced(self.open(*body, k), map, memo)))
            }
            Node::Last(lo, hi, body) => {
                let (lo, hi) = (go(*lo), go(*hi));
                self.scoped(|v, k| self.last_over(v, lo, hi, self.replaced(self.open(*body, k), map, memo)))
            }
            Node::Nth(n, lo, hi, body) => {
                let (n, lo, hi) = (go(*n), go(*lo), go(*hi));
                self.scoped(|v, k| self.nth_over(v, n, lo, hi, self.replaced(self.open(*body, k), map, memo)))
            }
            Node::Lambda(rank, body) => self.scoped_all(*rank, |vars, ks| {
                let body = self.replaced(self.open_all(*body, ks), map, memo);
                self.lambda_over(vars, body)
            }),
        }
    }

    fn replaced_poly(&self, p: &Poly, map: &[(Var, Term)], memo: &mut HashMap<Term, Term>) -> Term {
        let mut sum = Poly::default();
        for (m, c) in p.terms() {
            let mut product = Poly::constant(c.clone());
            for &(atom, e) in m {
                let by = self.poly(self.replaced(atom, map, memo));
                for _ in 0..e {
                    product = self.times(&product, &by);
                }
            }
            sum = sum.add(&product);
        }
        self.from_poly(sum)
    }

    /// Calls `f` with several variables that occur nowhere.
    pub(crate) fn scoped_all<R>(&self, rank: u32, f: impl FnOnce(&[Var], &[Term]) -> R) -> R {
        let (vars, terms): (Vec<Var>, Vec<Term>) = (0..rank).map(|_| self.enter()).unzip();
        let result = f(&vars, &terms);
        (0..rank).for_each(|_| self.leave());
        result
    }

    /// Whether `part` occurs in `t`; also `true` if no work is left to find out.
    pub(crate) fn contains(&self, t: Term, part: Term) -> bool {
        let (mut seen, mut todo) = (std::collections::HashSet::new(), vec![t]);
        while let Some(t) = todo.pop() {
            if t == part || !self.spend(1) {
                return true;
            }
            if seen.insert(t) {
                todo.extend(children(&self.node(t)).into_iter().map(|c| c.0));
            }
        }
        false
    }

    /// Calls `visit` with each part of a term, from the outside in, and with whether the part
    /// stands below a binder. A part that occurs several times is visited once, or twice if it
    /// stands both below a binder and outside. Parts of a part for which `visit` returns `false`
    /// are left out.
    pub fn each_part(&self, t: Term, visit: &mut dyn FnMut(Term, bool) -> bool) {
        let (mut seen, mut todo) = (std::collections::HashSet::new(), vec![(t, false)]);
        while let Some((t, below)) = todo.pop() {
            if seen.insert((t, below)) && visit(t, below) {
                let parts = children(&self.node(t)).into_iter().map(|(part, bound)| (part, below || bound > 0));
                // The first part is to be visited first.
                todo.extend(parts.rev());
            }
        }
    }

    /// What `of` says of the first part of a term of which it says something, of those that do not
    /// stand below a binder.
    pub(crate) fn find_part<R>(&self, t: Term, mut of: impl FnMut(Term) -> Option<R>) -> Option<R> {
        let mut found = None;
        self.each_part(t, &mut |part, below| {
            if found.is_none() && !below {
                found = of(part);
            }
            found.is_none() && !below
        });
        found
    }

    /// Whether a term is an array, and with how many indexes.
    pub fn rank(&self, t: Term) -> Option<u32> {
        match self.sort(t) {
            Sort::Array(rank) => Some(rank),
            _ => None,
        }
    }
}
