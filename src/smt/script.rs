//! The question to a solver.

use super::term::{Function, Head, Sort, Symbol, Term};
use std::collections::BTreeSet;
use std::fmt;

/// The logic of a script, by its name in SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Logic {
    /// QF_AUFBV with constant arrays: bit-vectors, arrays, uninterpreted functions.
    #[default]
    QfAufbv,
    /// QF_LIA: linear integer arithmetic.
    QfLia,
    /// QF_NIA: integer arithmetic.
    QfNia,
    /// QF_UFLIA: linear integer arithmetic and uninterpreted functions.
    QfUflia,
    /// QF_UFNIA: integer arithmetic and uninterpreted functions.
    QfUfnia,
    /// QF_AUFLIA: linear integer arithmetic, uninterpreted functions, arrays.
    QfAuflia,
    /// All theories, with quantifiers.
    All,
}

impl Logic {
    /// The logic that a script declares.
    fn declared(self) -> &'static str {
        match self {
            // `QF_AUFBV` would do, but then Z3 4.8 knows no `(as const …)`; without a logic, cvc5
            // complains.
            Logic::QfAufbv | Logic::All => "ALL",
            Logic::QfLia => "QF_LIA",
            Logic::QfNia => "QF_NIA",
            Logic::QfUflia => "QF_UFLIA",
            Logic::QfUfnia => "QF_UFNIA",
            Logic::QfAuflia => "QF_AUFLIA",
        }
    }
}

/// The names that a script introduces, in order.
#[derive(Clone, Default, Debug)]
pub struct Declarations(pub(super) Vec<Declaration>);

#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Function(Function),
    /// A name for a term.
    Definition(Symbol, Term),
}

impl Declarations {
    /// Declares a constant. Its name must be new, as that of every declaration: else the solver
    /// refuses the script.
    pub fn constant(&mut self, name: Symbol, sort: Sort) -> Term {
        self.function(name, [], sort).apply([])
    }

    /// Declares an uninterpreted function.
    pub fn function(&mut self, name: Symbol, parameters: impl Into<Vec<Sort>>, result: Sort) -> Function {
        let function = Function { name, parameters: parameters.into(), result };
        self.0.push(Declaration::Function(function.clone()));
        function
    }

    /// The number of declarations so far.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The first `count` declarations.
    #[must_use]
    pub fn first(&self, count: usize) -> Declarations {
        Declarations(self.0.iter().take(count).cloned().collect())
    }

    /// Gives a name to a term: returns the name as a term, and the text of the term occurs once.
    pub fn define(&mut self, name: Symbol, term: Term) -> Term {
        let named = Function { name: name.clone(), parameters: Vec::new(), result: term.sort().clone() }.apply([]);
        self.0.push(Declaration::Definition(name, term));
        named
    }
}

/// The definition of a function by an equation.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The function.
    pub function: Function,
    /// Constants that stand for its arguments.
    pub parameters: Vec<Term>,
    /// Its value, which may use the function itself.
    pub body: Term,
}

/// A formula that holds for all values of some constants.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The constants.
    pub parameters: Vec<Term>,
    /// What holds.
    pub formula: Term,
}

/// Declarations and named assertions in SMT-LIB 2.6.
///
/// Printed, it is a script that only lacks its `(check-sat)`.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The logic of the assertions.
    pub logic: Logic,
    /// The names that the assertions use.
    pub declarations: Declarations,
    /// A name and a term, asserted as `(assert (! term :named name))`, or without its name where no
    /// core is wanted.
    pub assertions: Vec<(Symbol, Term)>,
    /// Terms whose values are wanted if there is a model: bit-vectors of up to 128 bits, Booleans,
    /// or integers.
    pub values: Vec<Term>,
    /// Whether a core is wanted if there is no model. A solver that need not tell assertions apart
    /// may be faster by far.
    pub core: bool,
    /// Limit on the work for this question, in the solver's own units; `None`: as the solver is set
    /// up. It is no part of the text.
    pub resources: Option<u64>,
    /// Definitions of some of its functions, and formulas about them, of which
    /// [`super::instantiated`] states instances. They are no part of the text, for which the
    /// functions may have any values.
    pub unfoldings: Vec<Unfolding>,
    /// See [`Script::unfoldings`].
    pub lemmas: Vec<Schema>,
    /// What the question is about, for people who read it later ([`super::Kept`]). It is no part of
    /// the text.
    pub about: String,
}

impl Script {
    /// The script for the case that these constants are false: what they imply is left out.
    #[must_use]
    pub fn with_false(mut self, constants: &BTreeSet<Symbol>) -> Script {
        if constants.is_empty() {
            return self;
        }
        for declaration in &mut self.declarations.0 {
            if let Declaration::Definition(_, term) = declaration {
                *term = without_implied(term, constants);
            }
        }
        for (_, term) in &mut self.assertions {
            *term = without_implied(term, constants);
        }
        self
    }
}

/// The term, with true in the place of what the constants imply.
fn without_implied(term: &Term, constants: &BTreeSet<Symbol>) -> Term {
    if let (Head::Implies, [premise, _]) = (term.head(), term.arguments())
        && premise.as_symbol().is_some_and(|name| constants.contains(name))
    {
        return Term::bool(true);
    }
    match term.arguments() {
        [] => term.clone(),
        arguments => {
            let new: Vec<Term> = arguments.iter().map(|a| without_implied(a, constants)).collect();
            match new.iter().zip(arguments).all(|(a, b)| a.address() == b.address()) {
                true => term.clone(),
                false => term.with_arguments(new),
            }
        }
    }
}

impl Script {
    /// Checks that the name of each assertion is its own. (In a core, the name stands for it.)
    pub(super) fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        match self.assertions.iter().find(|(name, _)| !names.insert(name)) {
            Some((name, _)) => Err(format!("two assertions have the name `{name}`")),
            None => Ok(()),
        }
    }
}

/// The beginning of a text.
pub(super) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 80;
    let mut start: String = text.chars().take(LENGTH).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Declaration::Function(Function { name, parameters, result }) if parameters.is_empty() => {
                write!(f, "(declare-const {name} {result})")
            }
            Declaration::Function(Function { name, parameters, result }) => {
                let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
                write!(f, "(declare-fun {name} ({}) {result})", parameters.join(" "))
            }
            Declaration::Definition(name, term) => write!(f, "(define-fun {name} () {} {term})", term.sort()),
        }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(set-option :produce-models true)")?;
        if self.core {
            writeln!(f, "(set-option :produce-unsat-cores true)")?;
        }
        writeln!(f, "(set-logic {})", self.logic.declared())?;
        for declaration in &self.declarations.0 {
            writeln!(f, "{declaration}")?;
        }
        for (name, term) in &self.assertions {
            if self.core {
                writeln!(f, "(assert (! {term} :named {name}))")?;
            } else {
                writeln!(f, "(assert {term})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::term::{IntOp, Order};
    use super::*;

    #[test]
    fn a_script_names_its_assertions() {
        let mut script = Script { core: true, ..Script::default() };
        let x = script.declarations.constant(Symbol::new("x"), Sort::Bits(8));
        script.assertions.push((Symbol::new("one"), x.equals(Term::bits(1, 8))));
        let expected = "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n\
            (set-logic ALL)\n(declare-const x (_ BitVec 8))\n(assert (! (= x (_ bv1 8)) :named one))\n";
        assert_eq!(script.to_string(), expected);
        script.core = false;
        let expected = "(set-option :produce-models true)\n(set-logic ALL)\n\
            (declare-const x (_ BitVec 8))\n(assert (= x (_ bv1 8)))\n";
        assert_eq!(script.to_string(), expected);
    }

    #[test]
    fn functions_and_names_for_terms_are_declared_in_order() {
        let mut script = Script { logic: Logic::QfUflia, ..Script::default() };
        let n = script.declarations.constant(Symbol::new("n"), Sort::Int);
        let f = script.declarations.function(Symbol::new("f"), [Sort::Int, Sort::Bool], Sort::Int);
        let called = f.apply([n.clone(), Term::bool(true)]);
        let sum = script.declarations.define(Symbol::new("sum"), called.int_op(IntOp::Add, n));
        script.assertions.push((Symbol::new("less"), sum.clone().int_order(Order::Less, sum)));
        let expected = "(set-option :produce-models true)\n(set-logic QF_UFLIA)\n(declare-const n Int)\n\
            (declare-fun f (Int Bool) Int)\n(define-fun sum () Int (+ (f n true) n))\n(assert (< sum sum))\n";
        assert_eq!(script.to_string(), expected);
    }

    #[test]
    fn a_name_stands_for_one_assertion() {
        let named = |name: &str, value: bool| (Symbol::new(name), Term::bool(value));
        let twice = Script { assertions: vec![named("a", true), named("a", false)], ..Script::default() };
        assert!(twice.check().is_err());
        let apart = Script { assertions: vec![named("a", true), named("b", true)], ..Script::default() };
        assert_eq!(apart.check(), Ok(()));
    }
}
