//! The context of terms: it keeps nodes, hands out names, and counts work.
//!
//! Nodes are shared (hash-consed), so a term is a number and equality of normal forms is equality
//! of numbers. All methods take `&self`, so calls nest: `c.add(c.int(1), x)`.
//!
//! **Limits.** Nothing here panics on large input or runs forever. Work is counted. When the
//! budget of a context is used up, rules are no longer applied. A term that would be too deep, a
//! polynomial with too many monomials or too high a degree, a substitution for which no work is
//! left: each of these becomes an *unknown of its own*, a new symbol applied to the variables that
//! occur in it. Equal such terms get the same symbol. That loses what the term was; it never says
//! something false.

use crate::name::{Int, IntRange, Symbol, Term, Var};
use crate::node::{Node, Sort};
use crate::poly::{Poly, Rat};
use num_traits::Zero;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Bounds on the size of terms and on the work that normal forms may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The greatest depth of a term.
    pub depth: u32,
    /// The greatest number of monomials of a polynomial.
    pub monomials: usize,
    /// The greatest degree of a polynomial.
    pub degree: u32,
    /// The greatest number of bits of a coefficient.
    pub bits: u64,
    /// The work that all rules together may cost, in nodes made and visited.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 120, monomials: 300, degree: 16, bits: 4096, work: 1_000_000 }
    }
}

/// What is known of a node beside its content.
#[derive(Clone)]
struct Entry {
    node: Rc<Node>,
    sort: Sort,
    depth: u32,
    /// All loose bound variables have numbers below this.
    loose: u32,
    /// The free variables, ascending.
    free: Rc<[Var]>,
    /// The number of nodes as a tree, saturating.
    size: u64,
}

#[derive(Default)]
struct Store {
    entries: Vec<Entry>,
    ids: HashMap<Rc<Node>, Term>,
    symbols: Vec<Named>,
    vars: Vec<Named>,
    opaque: HashMap<OpaqueKey, Symbol>,
}

/// What is known of a symbol or a variable.
struct Named {
    name: String,
    sort: Sort,
    /// Bounds of its values: of the integer, or of each cell of the array.
    range: IntRange,
}

/// What an unknown of its own stands for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum OpaqueKey {
    Node(Rc<Node>),
    Poly(Poly),
    Product(Poly, Poly),
    Substitution(Term, Vec<(Var, Term)>),
}

/// Makes terms and keeps them in normal form.
///
/// ```
/// use smalti_terms::Context;
/// let c = Context::new();
/// let n = c.unknown("N");
/// let sum = c.sum(c.int(0), n, |k| c.add(c.scale(2, k), c.int(2)));
/// // 2*k + 2 for the k below N, where N may be negative:
/// assert_eq!(c.show(sum), "max(0, N)^2 + max(0, N)");
/// ```
pub struct Context {
    store: RefCell<Store>,
    level: Cell<u32>,
    work: Cell<u64>,
    interrupt: RefCell<Option<Box<dyn Fn() -> bool>>>,
    /// The calls of `spend` since the interrupt was asked.
    unasked: Cell<u32>,
    limits: Limits,
    pub(crate) nesting: Cell<u32>,
    pub(crate) exchanging: Cell<bool>,
    pub(crate) folds: RefCell<HashMap<Rc<Node>, Term>>,
    /// The negations of junctions.
    pub(crate) negations: RefCell<HashMap<Term, Term>>,
    /// The ranges of variables of open binders.
    scoped_ranges: RefCell<HashMap<Var, IntRange>>,
}

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

/// Variables with at least this number are those of open binders.
const SCOPED: u32 = 1 << 31;

impl Context {
    /// An empty context with the default limits.
    pub fn new() -> Self {
        Context::with_limits(Limits::default())
    }

    /// An empty context.
    pub fn with_limits(limits: Limits) -> Self {
        Context {
            store: RefCell::default(),
            level: Cell::new(0),
            work: Cell::new(limits.work),
            interrupt: RefCell::default(),
            unasked: Cell::new(0),
            limits,
            nesting: Cell::new(0),
            exchanging: Cell::new(false),
            folds: RefCell::default(),
            negations: RefCell::default(),
            scoped_ranges: RefCell::default(),
        }
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The work that is left; 0 when rules are no longer applied.
    pub fn work_left(&self) -> u64 {
        self.work.get()
    }

    /// Gives the rules new work, for the next question.
    pub fn refill(&self, work: u64) {
        self.work.set(work);
    }

    /// From when on `interrupt` says so, rules are no longer applied, as if the work were used up.
    /// It is asked now and then.
    pub fn interrupt_when(&self, interrupt: impl Fn() -> bool + 'static) {
        *self.interrupt.borrow_mut() = Some(Box::new(interrupt));
    }

    /// Asks the interrupt, if it is time to.
    fn ask_interrupt(&self) {
        const CALLS: u32 = 64;
        let unasked = self.unasked.get() + 1;
        self.unasked.set(unasked % CALLS);
        if unasked == CALLS && self.interrupt.borrow().as_ref().is_some_and(|interrupt| interrupt()) {
            self.work.set(0);
        }
    }

    /// Counts work; `false` if there is not enough left.
    pub(crate) fn spend(&self, work: u64) -> bool {
        self.ask_interrupt();
        let left = self.work.get();
        self.work.set(left.saturating_sub(work));
        left >= work
    }

    /// A new symbol, different from all others even where the names are equal.
    pub fn symbol(&self, name: impl Into<String>, sort: Sort) -> Symbol {
        self.symbol_within(name, sort, (None, None))
    }

    /// A new symbol whose values, or the cells of whose values, are in a range. The normal form
    /// makes use of that, so terms with it are right only in models that give it such values.
    ///
    /// ```
    /// use smalti_terms::{Context, Int, Sort, WrapType};
    /// let c = Context::new();
    /// let byte = c.symbol_within("x", Sort::Int, (Some(Int::from(0)), Some(Int::from(255))));
    /// let x = c.apply(byte, &[]);
    /// assert_eq!(c.wrap(WrapType { signed: true, bits: 32 }, x), x);
    /// ```
    pub fn symbol_within(&self, name: impl Into<String>, sort: Sort, range: IntRange) -> Symbol {
        let symbols = &mut self.store.borrow_mut().symbols;
        symbols.push(Named { name: name.into(), sort, range });
        Symbol(symbols.len() as u32 - 1)
    }

    /// The symbol that was made last, if there is one. Symbols are ordered by when they were made.
    pub fn newest_symbol(&self) -> Option<Symbol> {
        let made = self.store.borrow().symbols.len() as u32;
        made.checked_sub(1).map(Symbol)
    }

    /// A new integer unknown.
    pub fn unknown(&self, name: impl Into<String>) -> Term {
        self.apply(self.symbol(name, Sort::Int), &[])
    }

    /// A new array unknown with `rank` indexes.
    pub fn array(&self, name: impl Into<String>, rank: u32) -> Term {
        self.apply(self.symbol(name, Sort::Array(rank)), &[])
    }

    /// A symbol with arguments.
    pub fn apply(&self, symbol: Symbol, arguments: &[Term]) -> Term {
        self.intern(Node::Apply(symbol, arguments.to_vec()))
    }

    /// A new variable.
    pub fn variable(&self, name: impl Into<String>, sort: Sort) -> Var {
        self.variable_within(name, sort, (None, None))
    }

    /// A new variable whose values, or the cells of whose values, are in a range. What is
    /// substituted for it has to be in the range where the result is used: terms with the variable
    /// are simplified as if it was.
    pub fn variable_within(&self, name: impl Into<String>, sort: Sort, range: IntRange) -> Var {
        let vars = &mut self.store.borrow_mut().vars;
        vars.push(Named { name: name.into(), sort, range });
        Var(vars.len() as u32 - 1)
    }

    /// The variable as a term.
    pub fn var(&self, var: Var) -> Term {
        self.intern(Node::Var(var))
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, symbol: Symbol) -> String {
        self.store.borrow().symbols[symbol.0 as usize].name.clone()
    }

    /// What a symbol yields.
    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.store.borrow().symbols[symbol.0 as usize].sort
    }

    /// Bounds of what a symbol yields, or of its cells.
    pub fn symbol_range(&self, symbol: Symbol) -> IntRange {
        self.store.borrow().symbols[symbol.0 as usize].range.clone()
    }

    /// Bounds of the values of a variable, or of its cells. For the variable of an open binder they
    /// are those of [`Context::scoped_within`].
    pub fn variable_range(&self, var: Var) -> IntRange {
        if var.0 >= SCOPED {
            return self.scoped_ranges.borrow().get(&var).cloned().unwrap_or_default();
        }
        self.store.borrow().vars[var.0 as usize].range.clone()
    }

    /// The name of a variable; for the variable of an open binder one that starts with `%`.
    pub fn variable_name(&self, var: Var) -> String {
        if var.0 >= SCOPED {
            return format!("%{}", var.0 - SCOPED);
        }
        self.store.borrow().vars[var.0 as usize].name.clone()
    }

    /// The sort of a variable.
    pub fn variable_sort(&self, var: Var) -> Sort {
        if var.0 >= SCOPED { Sort::Int } else { self.store.borrow().vars[var.0 as usize].sort }
    }

    /// Whether the term is an unknown that stands for a term beyond the limits.
    pub fn is_opaque(&self, t: Term) -> bool {
        match &*self.node(t) {
            Node::Apply(s, _) => self.store.borrow().opaque.values().any(|o| o == s),
            _ => false,
        }
    }

    /// The node of a term.
    pub fn node(&self, t: Term) -> Rc<Node> {
        self.store.borrow().entries[t.0 as usize].node.clone()
    }

    /// The sort of a term.
    pub fn sort(&self, t: Term) -> Sort {
        self.store.borrow().entries[t.0 as usize].sort
    }

    /// The number of nodes of a term as a tree, saturating.
    pub fn size(&self, t: Term) -> u64 {
        self.store.borrow().entries[t.0 as usize].size
    }

    /// The number of different nodes in the context.
    pub fn node_count(&self) -> usize {
        self.store.borrow().entries.len()
    }

    /// The free variables of a term, ascending.
    pub fn free(&self, t: Term) -> Rc<[Var]> {
        self.store.borrow().entries[t.0 as usize].free.clone()
    }

    /// Whether a variable occurs free in a term.
    pub fn mentions(&self, t: Term, var: Var) -> bool {
        self.store.borrow().entries[t.0 as usize].free.binary_search(&var).is_ok()
    }

    /// Whether a symbol for which `f` holds occurs anywhere in a term.
    pub fn has_symbol(&self, t: Term, f: impl Fn(Symbol) -> bool) -> bool {
        let mut found = false;
        self.each_part(t, &mut |part, _| {
            found |= matches!(&*self.node(part), Node::Apply(symbol, _) if f(*symbol));
            !found
        });
        found
    }

    /// All loose bound variables of the term have numbers below the result.
    pub(crate) fn loose(&self, t: Term) -> u32 {
        self.store.borrow().entries[t.0 as usize].loose
    }

    /// Calls `f` with a variable that occurs nowhere: not in terms from before, because only
    /// binders that are open at the moment have variables like it, and they have others.
    pub(crate) fn scoped<R>(&self, f: impl FnOnce(Var, Term) -> R) -> R {
        let (var, term) = self.enter();
        let result = f(var, term);
        self.leave();
        result
    }

    /// [`Context::scoped`] with a variable that is in a range. What `f` makes of it is right for
    /// such values only. No memory of results outlives `f` with the variable in it
    /// ([`Context::has_scoped_range`]).
    pub(crate) fn scoped_within<R>(&self, range: IntRange, f: impl FnOnce(Var, Term) -> R) -> R {
        let (var, term) = self.enter();
        self.scoped_ranges.borrow_mut().insert(var, range);
        let result = f(var, term);
        self.scoped_ranges.borrow_mut().remove(&var);
        self.leave();
        result
    }

    /// Whether the variable of an open binder that has a range occurs free in a node.
    pub(crate) fn has_scoped_range(&self, node: &Node) -> bool {
        let ranges = self.scoped_ranges.borrow();
        !ranges.is_empty()
            && children(node).into_iter().any(|(t, _)| self.free(t).iter().any(|v| ranges.contains_key(v)))
    }

    /// Takes a variable for a binder; [`Context::leave`] gives it back.
    pub(crate) fn enter(&self) -> (Var, Term) {
        let var = Var(SCOPED + self.level.get());
        self.level.set(self.level.get() + 1);
        (var, self.intern(Node::Var(var)))
    }

    pub(crate) fn leave(&self) {
        self.level.set(self.level.get() - 1);
    }

    /// The integer constant.
    pub fn int(&self, value: impl Into<Int>) -> Term {
        self.from_poly(Poly::int(value))
    }

    /// The truth value.
    pub fn truth(&self, value: bool) -> Term {
        self.intern(Node::Truth(value))
    }

    /// The value of a constant integer term.
    pub fn as_int(&self, t: Term) -> Option<Int> {
        match &*self.node(t) {
            Node::Poly(p) => p.as_constant().filter(Rat::is_integer).map(|c| c.to_integer()),
            _ => None,
        }
    }

    /// The value of a constant boolean term.
    pub fn as_truth(&self, t: Term) -> Option<bool> {
        match &*self.node(t) {
            Node::Truth(b) => Some(*b),
            _ => None,
        }
    }

    /// An integer term as a polynomial over its atoms.
    pub fn poly(&self, t: Term) -> Poly {
        match &*self.node(t) {
            Node::Poly(p) => p.clone(),
            _ => Poly::atom(t),
        }
    }

    /// The term of a polynomial, which must have integer values.
    pub fn from_poly(&self, p: Poly) -> Term {
        if let Some(t) = p.as_atom() {
            return t;
        }
        let l = self.limits;
        if p.terms().len() > l.monomials || p.degree() > l.degree || p.bits() > l.bits {
            let atoms = p.atoms();
            return self.opaque(OpaqueKey::Poly(p), &atoms, Sort::Int);
        }
        self.intern(Node::Poly(p))
    }

    /// The unknown of its own that stands for `key`, a value that depends on what occurs in
    /// `parts`.
    pub(crate) fn opaque(&self, key: OpaqueKey, parts: &[Term], sort: Sort) -> Term {
        let mut vars: Vec<Var> = parts.iter().flat_map(|&t| self.free(t).to_vec()).collect();
        let mut loose = parts.iter().map(|&t| self.loose(t)).max().unwrap_or(0);
        if let OpaqueKey::Substitution(t, map) = &key {
            // What is replaced is there no longer.
            vars.extend(self.free(*t).iter().filter(|v| map.iter().all(|m| m.0 != **v)));
            loose = loose.max(self.loose(*t));
        }
        vars.sort_unstable();
        vars.dedup();
        self.opaque_over(key, &vars, loose, sort)
    }

    fn opaque_over(&self, key: OpaqueKey, vars: &[Var], loose: u32, sort: Sort) -> Term {
        let known = self.store.borrow().opaque.get(&key).copied();
        let symbol = known.unwrap_or_else(|| {
            let name = format!("large{}", self.store.borrow().opaque.len());
            let symbol = self.symbol(name, sort);
            self.store.borrow_mut().opaque.insert(key, symbol);
            symbol
        });
        let mut arguments: Vec<Term> = vars.iter().map(|&v| self.intern(Node::Var(v))).collect();
        arguments.extend((0..loose).map(|i| self.intern(Node::Bound(i))));
        self.intern(Node::Apply(symbol, arguments))
    }

    /// The term of a node, which must be in normal form.
    pub(crate) fn intern(&self, node: Node) -> Term {
        if let Some(&t) = self.store.borrow().ids.get(&node) {
            return t;
        }
        self.spend(1);
        let entry = self.measure(Rc::new(node));
        if entry.depth > self.limits.depth {
            let (free, loose, sort) = (entry.free.clone(), entry.loose, entry.sort);
            return self.opaque_over(OpaqueKey::Node(entry.node), &free, loose, sort);
        }
        let store = &mut *self.store.borrow_mut();
        let t = Term(store.entries.len() as u32);
        store.ids.insert(entry.node.clone(), t);
        store.entries.push(entry);
        t
    }

    fn measure(&self, node: Rc<Node>) -> Entry {
        let sort = self.sort_of(&node);
        let store = self.store.borrow();
        let (mut depth, mut loose, mut size) = (0, 0, 1u64);
        let mut free: Vec<Var> = Vec::new();
        let mut visit = |t: Term, bound: u32| {
            let e = &store.entries[t.0 as usize];
            depth = depth.max(e.depth);
            loose = loose.max(e.loose.saturating_sub(bound));
            size = size.saturating_add(e.size);
            free.extend(e.free.iter().copied());
        };
        match &*node {
            Node::Poly(p) => p.terms().iter().flat_map(|(m, _)| m).for_each(|f| visit(f.0, 0)),
            Node::Var(_) | Node::Bound(_) | Node::Truth(_) => {}
            other => children(other).into_iter().for_each(|(t, bound)| visit(t, bound)),
        }
        match *node {
            Node::Var(v) => free.push(v),
            Node::Bound(i) => loose = i + 1,
            _ => {}
        }
        free.sort_unstable();
        free.dedup();
        Entry { sort, depth: depth + 1, loose, free: free.into(), size, node }
    }

    fn sort_of(&self, node: &Node) -> Sort {
        match node {
            Node::Var(v) => self.variable_sort(*v),
            Node::Apply(s, _) => self.symbol_sort(*s),
            Node::Ite(_, a, _) => self.sort(*a),
            Node::Fold { op, .. } if op.is_boolean() => Sort::Bool,
            Node::Lambda(rank, _) => Sort::Array(*rank),
            Node::Truth(_)
            | Node::NonNegative(_)
            | Node::Zero(_)
            | Node::Divides(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_) => Sort::Bool,
            _ => Sort::Int,
        }
    }

    /// `sum of factor * part`, of integer terms.
    pub fn linear(&self, parts: &[(i64, Term)]) -> Term {
        let sum = parts.iter().fold(Poly::constant(Rat::zero()), |sum, (f, t)| {
            sum.add_scaled(&self.poly(*t), &Rat::from_integer(Int::from(*f)))
        });
        self.from_poly(sum)
    }
}

/// The children of a node, each with the number of variables that are bound there.
pub(crate) fn children(node: &Node) -> Vec<(Term, u32)> {
    let plain = |ts: &[Term]| ts.iter().map(|&t| (t, 0)).collect::<Vec<_>>();
    match node {
        Node::Poly(p) => plain(&p.atoms()),
        Node::Var(_) | Node::Bound(_) | Node::Truth(_) => Vec::new(),
        Node::Apply(_, ts) | Node::Max(ts) | Node::Min(ts) | Node::Bits(_, ts) | Node::And(ts) | Node::Or(ts) => {
            plain(ts)
        }
        Node::Power(_, t)
        | Node::Wrap(_, t)
        | Node::NonNegative(t)
        | Node::Zero(t)
        | Node::Divides(_, t)
        | Node::Not(t) => plain(&[*t]),
        Node::Div(a, b) => plain(&[*a, *b]),
        Node::Ite(p, a, b) => plain(&[*p, *a, *b]),
        Node::Read(array, index) => {
            let mut all = plain(&[*array]);
            all.extend(plain(index));
            all
        }
        Node::Fold { lo, hi, seed, body, .. } => {
            let mut all = plain(&[*lo, *hi]);
            all.extend(seed.map(|s| (s, 0)));
            all.push((*body, 1));
            all
        }
        Node::First(lo, hi, body) | Node::Last(lo, hi, body) => vec![(*lo, 0), (*hi, 0), (*body, 1)],
        Node::Nth(n, lo, hi, body) => vec![(*n, 0), (*lo, 0), (*hi, 0), (*body, 1)],
        Node::Lambda(rank, body) => vec![(*body, *rank)],
    }
}
