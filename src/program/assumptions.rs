//! Assumptions that smalti makes.

use super::{Block, COMES_BACK, Program, Stmt, each_stmt};
use std::collections::{BTreeMap, BTreeSet};

/// An assumption; a report prints those that its answers rest on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assumption {
    /// The sentence. It holds of each thing that `about` names.
    pub text: String,
    /// What it is about: names and conditions, as the source writes them. Empty if the sentence
    /// alone is complete.
    pub about: BTreeSet<String>,
    /// The functions whose text makes it necessary: a run that reaches none of them does not rest
    /// on it. `None` if that is not known, or if types, globals or the program as a whole make it
    /// necessary.
    pub within: Option<BTreeSet<String>>,
    /// Whether only `proved` and `unreachable` verdicts rest on it: a replayed run that fails does
    /// not depend on it.
    pub of_proofs: bool,
}

/// The most names in a short line; of further names it gives only the number.
const MOST_NAMES: usize = 6;

impl Assumption {
    /// An assumption whose sentence alone is complete.
    pub fn new(text: impl Into<String>) -> Assumption {
        Assumption { text: text.into(), about: BTreeSet::new(), within: None, of_proofs: false }
    }

    /// An assumption about things of a kind, with one of these things.
    pub fn about(text: impl Into<String>, name: impl Into<String>) -> Assumption {
        Assumption { about: BTreeSet::from([name.into()]), ..Assumption::new(text) }
    }

    /// The same assumption, made necessary by the text of that function.
    pub fn within(self, function: &str) -> Assumption {
        Assumption { within: Some(BTreeSet::from([function.to_owned()])), ..self }
    }

    /// The same assumption, if only proofs rest on it.
    pub fn of_proofs(self) -> Assumption {
        Assumption { of_proofs: true, ..self }
    }

    /// Merges another assumption with the same sentence into this one. Nothing is lost: a verdict
    /// that rests on either rests on the union.
    fn unite(&mut self, other: Assumption) {
        self.about.extend(other.about);
        self.within = match (self.within.take(), other.within) {
            (Some(mut all), Some(more)) => {
                all.extend(more);
                Some(all)
            }
            _ => None,
        };
        self.of_proofs &= other.of_proofs;
    }

    /// One for each sentence, in the order of the sentences.
    pub fn grouped(all: impl IntoIterator<Item = Assumption>) -> Vec<Assumption> {
        let mut groups: BTreeMap<String, Assumption> = BTreeMap::new();
        for assumption in all {
            match groups.get_mut(&assumption.text) {
                Some(group) => group.unite(assumption),
                None => _ = groups.insert(assumption.text.clone(), assumption),
            }
        }
        groups.into_values().collect()
    }

    /// In one line, with all that it is about.
    pub fn line(&self) -> String {
        self.line_of(self.about.len())
    }

    /// In one line, with the first few names.
    pub fn short_line(&self) -> String {
        // "and 1 more" would be no shorter than the name.
        self.line_of(if self.about.len() > MOST_NAMES + 1 { MOST_NAMES } else { self.about.len() })
    }

    fn line_of(&self, most: usize) -> String {
        if self.about.is_empty() {
            return self.text.clone();
        }
        let names: Vec<String> = self.about.iter().take(most).map(|name| format!("`{name}`")).collect();
        let more = match self.about.len() - names.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("{}: {}{more}", self.text, names.join(", "))
    }
}

impl From<&str> for Assumption {
    fn from(text: &str) -> Assumption {
        Assumption::new(text)
    }
}

impl From<String> for Assumption {
    fn from(text: String) -> Assumption {
        Assumption::new(text)
    }
}

impl Program {
    /// Whether control may come back to `setjmp` or `vfork`, and what follows may run again.
    pub fn comes_back(&self) -> bool {
        self.assumptions.iter().any(|assumption| assumption.text == COMES_BACK)
    }

    /// Records an assumption; the list stays sorted, and says nothing twice.
    pub fn assume_that(&mut self, assumption: impl Into<Assumption>) {
        let new = assumption.into();
        let at = self.assumptions.partition_point(|a| (&a.text, &a.about) < (&new.text, &new.about));
        match self.assumptions.get_mut(at) {
            Some(same) if (&same.text, &same.about) == (&new.text, &new.about) => same.unite(new),
            _ => self.assumptions.insert(at, new),
        }
    }

    /// The assumption, if some statement makes it necessary: within the functions that have such a
    /// statement, unless an initialiser has one.
    pub fn where_needed(&self, assumption: impl Into<Assumption>, gives: impl Fn(&Stmt) -> bool) -> Option<Assumption> {
        let assumption = assumption.into();
        let has_one = |block: &Block| {
            let mut found = false;
            each_stmt(block, &mut |s| found |= gives(s));
            found
        };
        if has_one(&self.initialisers) {
            return Some(assumption);
        }
        let with_one = self.functions.iter().filter(|f| f.body.as_ref().is_some_and(has_one));
        let within: BTreeSet<String> = with_one.map(|f| f.name.clone()).collect();
        (!within.is_empty()).then_some(Assumption { within: Some(within), ..assumption })
    }

    /// The assumptions among `assumptions` that a run may rest on.
    ///
    /// An assumption is left out if only functions that no run reaches make it necessary. These are
    /// the functions with a body that are not in [`Program::called_functions`]. A run of the real
    /// program that breaks such an assumption must first reach one of these functions, on a path
    /// that this program does not have. For that it must break an assumption of a function that it
    /// reached before. Those assumptions stay in the list (so does the one that code outside of the
    /// program calls nothing of it by name). A name that no function with a body has may stand for
    /// anything, so its assumption stays.
    pub fn met_by_runs(&self, assumptions: impl IntoIterator<Item = Assumption>) -> Vec<Assumption> {
        let called = self.called_functions();
        let mut comes: BTreeMap<&str, bool> = BTreeMap::new();
        for (f, function) in (0..).map(super::FunctionId).zip(&self.functions).filter(|(_, f)| f.body.is_some()) {
            // Functions of several files may have one name.
            *comes.entry(&function.name).or_default() |= called.contains(&f);
        }
        let may_be_met = |a: &Assumption| match &a.within {
            Some(functions) => functions.iter().any(|f| comes.get(f.as_str()).is_none_or(|comes| *comes)),
            None => true,
        };
        assumptions.into_iter().filter(may_be_met).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{LowerOptions, load_text};

    #[test]
    fn a_sentence_stands_once_with_all_that_it_is_about() {
        let one = |name: &str| Assumption::about("a function does nothing", name).within(name);
        let grouped = Assumption::grouped(["c", "a", "b"].map(one).into_iter().chain([Assumption::new("a b")]));
        let lines: Vec<String> = grouped.iter().map(Assumption::line).collect();
        assert_eq!(lines, ["a b", "a function does nothing: `a`, `b`, `c`"]);
        assert_eq!(grouped[1].within.as_ref().map(BTreeSet::len), Some(3));
        let everywhere = Assumption::grouped([one("a"), Assumption::about("a function does nothing", "z")]);
        assert_eq!(everywhere[0].within, None, "what holds of the program as a whole stays so");
    }

    #[test]
    fn of_many_names_a_short_line_tells_the_first() {
        let many =
            |n: usize| Assumption::grouped((0..n).map(|n| Assumption::about("s", n.to_string())))[0].short_line();
        assert_eq!(many(7), "s: `0`, `1`, `2`, `3`, `4`, `5`, `6`");
        assert_eq!(many(9), "s: `0`, `1`, `2`, `3`, `4`, `5` and 3 more");
    }

    /// The lines of the assumptions that runs may rest on.
    fn met(text: &str) -> Vec<String> {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let met = program.met_by_runs(program.assumptions.clone());
        Assumption::grouped(met).iter().map(Assumption::line).collect()
    }

    #[test]
    fn what_only_uncalled_functions_give_occasion_to_is_left_out() {
        let unreachable = "`__builtin_unreachable()` is never reached";
        let body = "{ __builtin_unreachable(); }";
        for (text, listed) in [
            (format!("void f(void) {body} int main(void) {{ return 0; }}"), false),
            (format!("void f(void) {body} void g(void) {{ f(); }} int main(void) {{ return 0; }}"), false),
            (format!("void f(void) {body} int main(void) {{ f(); return 0; }}"), true),
            (format!("void f(void) {body} void g(void) {{ f(); }} int main(void) {{ g(); return 0; }}"), true),
            (format!("void f(void) {body} int main(void) {{ void (*p)(void) = f; return p != 0; }}"), true),
            (format!("void f(void) {body} int main(void) {body}"), true),
            (format!("void f(void) {body} void (*p)(void) = f; int main(void) {{ return 0; }}"), true),
            (
                format!("void f(void) {body} void other(void (*)(void)); int main(void) {{ other(&f); return 0; }}"),
                true,
            ),
        ] {
            assert_eq!(met(&text).iter().any(|a| a == unreachable), listed, "{text}");
        }
        let program = load_text(
            "t.c",
            "int main(void) { return 0; }",
            &LowerOptions { preprocess: false, ..LowerOptions::default() },
        );
        let unknown = Assumption::new("a").within("nobody");
        assert_eq!(
            program.expect("C").met_by_runs([unknown]).len(),
            1,
            "a name that no function has may stand for any"
        );
    }

    #[test]
    fn what_statements_give_occasion_to_is_of_the_functions_that_have_them() {
        for (part, rest, needs) in [
            ("an external variable", "extern int e;", "x = e;"),
            ("a floating value", "double d;", "x = d;"),
            ("an address", "int g;", "x = (int)&g;"),
        ] {
            let listed = |text: &str| met(&format!("int x; {rest} {text}")).iter().any(|a| a.starts_with(part));
            assert!(listed(&format!("int main(void) {{ {needs} return 0; }}")), "{needs}");
            assert!(listed(&format!("void f(void) {{ {needs} }} int main(void) {{ f(); return 0; }}")), "{needs}");
            assert!(!listed(&format!("void f(void) {{ {needs} }} int main(void) {{ return 0; }}")), "{needs}");
        }
        let used = "extern int e; int *p = &e; int main(void) { return 0; }";
        assert!(met(used).iter().any(|a| a == "an external variable exists and starts with any value: `e`"));
    }

    #[test]
    fn what_is_declared_in_an_uncalled_function_may_be_used_elsewhere() {
        let text = "void f(void) { u(); } int main(void) { return u(); }";
        assert!(met(text).iter().any(|a| a.starts_with("an undeclared function")), "{:?}", met(text));
        let text = "void f(void) { extern __attribute__((weak)) int w(void); } int w(void) { return 1; }
                    int main(void) { return w(); }";
        assert!(met(text).iter().any(|a| a.starts_with("no definition outside the program")), "{:?}", met(text));
    }
}
