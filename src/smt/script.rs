//! The question to a solver.

use super::sexpr;
use std::collections::BTreeSet;
use std::fmt;

/// Declarations and named assertions in QF_AUFBV, in SMT-LIB 2.6, with constant arrays.
///
/// Printed, it is a script that only lacks its `(check-sat)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Complete commands: `(declare-const x (_ BitVec 32))`, `(define-fun …)`.
    pub declarations: Vec<String>,
    /// A name (a simple symbol) and a term, asserted as `(assert (! term :named name))`, or without
    /// its name where no core is wanted.
    pub assertions: Vec<(String, String)>,
    /// Terms whose values are wanted if there is a model: bit-vectors of up to 128 bits, or
    /// Booleans.
    pub values: Vec<String>,
    /// Whether a core is wanted if there is no model. A solver that need not tell assertions apart
    /// may be faster by far.
    pub core: bool,
}

const DECLARATIONS: [&str; 5] = ["declare-const", "declare-fun", "define-fun", "declare-sort", "define-sort"];

impl Script {
    /// Checks that every text is well formed. A text with one closing parenthesis too many could
    /// answer itself.
    pub(super) fn check(&self) -> Result<(), String> {
        for declaration in &self.declarations {
            let what = |why: String| format!("the declaration `{}` {why}", excerpt(declaration));
            let head = sexpr::skim(declaration).map_err(what)?;
            if !head.is_some_and(|head| DECLARATIONS.contains(&&*head)) {
                return Err(what("is none".into()));
            }
        }
        let mut names = BTreeSet::new();
        for (name, term) in &self.assertions {
            if !sexpr::is_simple_symbol(name) {
                return Err(format!("the name `{}` is not a simple symbol", excerpt(name)));
            }
            if !names.insert(name) {
                return Err(format!("two assertions have the name `{name}`"));
            }
            sexpr::skim(term).map_err(|why| format!("the assertion `{name}` {why}"))?;
        }
        for term in &self.values {
            sexpr::skim(term).map_err(|why| format!("the term `{}` {why}", excerpt(term)))?;
        }
        Ok(())
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

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(set-option :produce-models true)")?;
        if self.core {
            writeln!(f, "(set-option :produce-unsat-cores true)")?;
        }
        // `QF_AUFBV` would do, but then Z3 4.8 knows no `(as const …)`; without a logic, cvc5
        // complains.
        writeln!(f, "(set-logic ALL)")?;
        for declaration in &self.declarations {
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
    use super::*;

    fn script(declaration: &str, name: &str, term: &str, value: &str) -> Script {
        Script {
            declarations: vec![declaration.into()],
            assertions: vec![(name.into(), term.into())],
            values: vec![value.into()],
            core: true,
        }
    }

    #[test]
    fn a_script_names_its_assertions() {
        let text = script("(declare-const x (_ BitVec 8))", "one", "(= x #x01)", "x").to_string();
        let expected = "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n\
            (set-logic ALL)\n(declare-const x (_ BitVec 8))\n(assert (! (= x #x01) :named one))\n";
        assert_eq!(text, expected);
        let text = Script { core: false, ..script("(declare-const x Bool)", "one", "(not x)", "x") }.to_string();
        let expected = "(set-option :produce-models true)\n(set-logic ALL)\n(declare-const x Bool)\n(assert (not x))\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn texts_that_are_not_one_term_are_refused() {
        let good = "(declare-const x Bool)";
        assert_eq!(script(good, "a", "(= x x)", "x").check(), Ok(()));
        for bad in ["", "(", ")", "x) (assert false", "x y", "(x", "x ; y", "|x", "\"x", "(x))"] {
            assert!(script(bad, "a", "x", "x").check().is_err(), "declaration {bad}");
            assert!(script(good, "a", bad, "x").check().is_err(), "term {bad}");
            assert!(script(good, "a", "x", bad).check().is_err(), "value {bad}");
        }
        for bad in ["(assert false)", "(exit)", "x", "()", "((declare-const x Bool))"] {
            assert!(script(bad, "a", "x", "x").check().is_err(), "declaration {bad}");
        }
        for bad in ["", "a b", "|a|", "1a", "a)", ":a", "true", "let", "#x1", "é"] {
            assert!(script(good, bad, "x", "x").check().is_err(), "name {bad}");
        }
    }

    #[test]
    fn a_name_stands_for_one_assertion() {
        let twice = vec![("a".to_owned(), "true".to_owned()), ("a".to_owned(), "false".to_owned())];
        assert!(Script { assertions: twice, ..Script::default() }.check().is_err());
    }

    #[test]
    fn terms_may_be_as_deep_as_they_like() {
        let term = format!("{}x{}", "(not ".repeat(200_000), ")".repeat(200_000));
        assert_eq!(script("(declare-const x Bool)", "a", &term, "x").check(), Ok(()));
    }
}
