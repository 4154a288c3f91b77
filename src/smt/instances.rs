//! Instances in the place of quantifiers.
//!
//! A solver that meets `forall` searches for the numbers at which the formula matters, and may not
//! find them. Where formulas are about cells of arrays, these numbers are known: the indexes that
//! the question mentions elsewhere. With the formula at all of them, the question is decided, for
//! formulas in the array property fragment (Bradley, Manna, Sipma, "What's decidable about
//! arrays?", VMCAI 2006, section 4). Other formulas are instantiated as well, but an answer `sat`
//! may be wrong then.
//!
//! **Why it is sound.** A quantified formula becomes a boolean constant `b` of its own, with two
//! kinds of facts: `b` implies each instance, and `not b` implies that the formula is false for a
//! constant `c` of its own. Every model of the question becomes a model of the new one, if `b` is
//! the truth of the formula and `c` a number that falsifies it. So if the new question has no
//! model, neither has the old one. Facts of either kind may be left out: they are stated only where
//! the assertions need the formula to be true, or to be false.

use super::script::{Declaration, Declarations, Schema, Script, Unfolding};
use super::term::{Head, IntOp, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How often instances give rise to further ones.
const ROUNDS: usize = 3;
/// Indexes that instances bring in later rounds have no instances. In the array property fragment
/// there are none; `a[k] <= a[k + 1]` brings `k + 1`, `k + 2`, and so on.
const LAST_ROUND_OF_INDEXES: usize = 1;
/// No facts are added beyond this number.
const MOST_FACTS: usize = 4000;
/// How often a function is unfolded in what another unfolding gave.
const DEEPEST: usize = 2;
/// Limit on the applications of functions.
const MOST_APPLICATIONS: usize = 120;
/// Limit on the instances of lemmas.
const MOST_MATCHES: usize = 250;
/// No index has a longer text: indexes that are computed from cells, and so on, do not end.
const LONGEST: usize = 160;

/// A script without quantifiers.
#[derive(Debug)]
pub struct Instantiated {
    /// It is unsatisfiable only if the original is.
    pub script: Script,
    /// Whether instances were left out because there would be too many.
    pub is_cut: bool,
}

/// The script without quantifiers, with at most so many instances of each; `None` if it has no
/// quantifiers.
pub fn instantiated(script: &Script, most: usize) -> Option<Instantiated> {
    let mut state = Instances::default();
    for unfolding in &script.unfoldings {
        state.unfoldings.insert(unfolding.function.name.as_str().to_owned(), unfolding.clone());
    }
    for lemma in &script.lemmas {
        bounds(&lemma.formula, &mut state.bounds);
        let triggers = triggers(lemma, &state.unfoldings);
        state.lemmas.extend(triggers.map(|t| (lemma.clone(), t)));
    }
    script.assertions.iter().for_each(|(_, term)| bounds(term, &mut state.bounds));
    for declaration in &script.declarations.0 {
        if let Declaration::Definition(name, term) = declaration {
            state.definitions.insert(name.as_str().to_owned(), term.clone());
            bounds(term, &mut state.bounds);
        }
    }
    let definitions = script.declarations.0.iter().filter_map(|d| match d {
        Declaration::Definition(name, term) => Some((Some(name), term)),
        Declaration::Function(_) => None,
    });
    for (name, term) in definitions.chain(script.assertions.iter().map(|(_, term)| (None, term))) {
        if let (Some(name), Sort::Array(_)) = (name, term.sort()) {
            state.relate(name.as_str().to_owned(), term);
        }
        state.relate_within(term);
    }
    let mut used = HashSet::new();
    for (_, term) in &script.assertions {
        state.needed(term, Needed::TRUE);
        state.used(term, &mut used);
    }
    script.values.iter().for_each(|value| state.used(value, &mut used));
    let mut declarations = Declarations::default();
    let mut replaced = Vec::new();
    for declaration in &script.declarations.0 {
        replaced.push(match declaration {
            Declaration::Definition(name, _) if !used.contains(name.as_str()) => continue,
            Declaration::Definition(name, term) => {
                let needed = state.names.get(name.as_str()).copied().unwrap_or_default();
                let term = state.without_quantifiers(term, needed);
                state.collect(&term);
                Declaration::Definition(name.clone(), term)
            }
            Declaration::Function(f) => Declaration::Function(f.clone()),
        });
    }
    let mut assertions = Vec::new();
    for (name, term) in &script.assertions {
        let term = state.without_quantifiers(term, Needed::TRUE);
        state.collect(&term);
        assertions.push((name.clone(), term));
    }
    if state.quantifiers.is_empty() && state.applications.is_empty() {
        return None;
    }
    for round in 1..=ROUNDS {
        if !state.round(round, most) {
            break;
        }
    }
    for constant in &state.constants {
        if let Some(name) = constant.as_symbol() {
            declarations.constant(name.clone(), constant.sort().clone());
        }
    }
    declarations.0.extend(replaced);
    for (n, fact) in std::mem::take(&mut state.facts).into_iter().enumerate() {
        assertions.push((Symbol::new(&format!("instance.{n}")), fact));
    }
    let script = Script { declarations, assertions, ..script.clone() };
    Some(Instantiated { script, is_cut: state.is_cut })
}

/// A sum of terms with factors, by the texts of the terms, and a number.
#[derive(Clone, Default, Debug)]
struct Sum {
    parts: BTreeMap<String, (Term, i128)>,
    constant: i128,
}

impl Sum {
    fn add(mut self, other: &Sum, factor: i128) -> Option<Sum> {
        for (text, (term, by)) in &other.parts {
            let entry = self.parts.entry(text.clone()).or_insert((term.clone(), 0));
            entry.1 = entry.1.checked_add(by.checked_mul(factor)?)?;
            if entry.1 == 0 {
                self.parts.remove(text);
            }
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(self)
    }

    fn term(&self) -> Term {
        let mut all: Option<Term> = None;
        for (term, factor) in self.parts.values() {
            let part = match factor {
                1 => term.clone(),
                n => Term::int(*n).int_op(IntOp::Mul, term.clone()),
            };
            all = Some(match all {
                None => part,
                Some(sum) => sum.int_op(IntOp::Add, part),
            });
        }
        match (all, self.constant) {
            (None, n) => Term::int(n),
            (Some(sum), 0) => sum,
            (Some(sum), n) => sum.int_op(IntOp::Add, Term::int(n)),
        }
    }
}

/// Where a quantified variable is an index, up to a sum: in which arrays, with which sign, and what
/// is added to it.
struct Pattern {
    class: String,
    sign: i128,
    rest: Sum,
}

struct Quantifier {
    flag: Term,
    bound: Symbol,
    body: Term,
    needed: Needed,
    /// The instances so far, by the texts of their indexes.
    done: HashSet<String>,
}

/// Which truth values of a formula make assertions true.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Needed {
    yes: bool,
    no: bool,
}

impl Needed {
    const TRUE: Needed = Needed { yes: true, no: false };

    fn negated(self) -> Needed {
        Needed { yes: self.no, no: self.yes }
    }

    fn or(self, other: Needed) -> Needed {
        Needed { yes: self.yes || other.yes, no: self.no || other.no }
    }

    /// Of an argument of a connective, by its number.
    fn of_argument(self, head: &Head, n: usize) -> Needed {
        match (head, n) {
            (Head::And | Head::Or | Head::ForAll(_), _) | (Head::Implies, 1) | (Head::IfThenElse, 1..) => self,
            (Head::Not, _) | (Head::Implies, 0) => self.negated(),
            (Head::Equal, _) => self.or(self.negated()),
            // What a condition chooses between matters more than its truth.
            _ => Needed::default(),
        }
    }
}

#[derive(Default)]
struct Instances {
    definitions: HashMap<String, Term>,
    /// What is needed of the formulas with names.
    names: HashMap<String, Needed>,
    /// The names of quantified variables.
    bounds: HashSet<String>,
    /// Arrays that may be equal, apart from some cells: each leads to another, or to itself.
    related: HashMap<String, String>,
    quantifiers: Vec<Quantifier>,
    by_text: HashMap<String, usize>,
    /// The indexes at which arrays of a class are read or written, in their order; and in which
    /// round an instance of a quantifier brought them, 0 for the others.
    indexes: HashMap<String, Vec<(String, Sum, usize)>>,
    /// The round, while a quantifier is instantiated.
    round: usize,
    /// The new constants.
    constants: Vec<Term>,
    facts: Vec<Term>,
    /// The definitions of functions, by their names.
    unfoldings: HashMap<String, Unfolding>,
    /// The lemmas, each with the applications that determine its parameters.
    lemmas: Vec<(Schema, Vec<Term>)>,
    /// The applications of these functions, by their texts: the application, how many unfoldings
    /// led to it, and whether it was unfolded.
    applications: BTreeMap<String, (Term, usize, bool)>,
    /// The elements of arrays that occur, by their texts, for lemmas.
    elements: BTreeMap<String, Term>,
    /// How many unfoldings led to what is added now.
    depth: usize,
    /// Whether instances were left out because there would be too many.
    is_cut: bool,
    /// The instances of lemmas so far.
    stated: HashSet<String>,
    sums: HashMap<String, Sum>,
}

impl Instances {
    fn root(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while let Some(next) = self.related.get(&name).filter(|next| **next != name) {
            name.clone_from(next);
        }
        name
    }

    /// The class of an array: those that may be equal to it apart from some cells.
    fn class(&self, array: &Term) -> Option<String> {
        match (array.head(), array.arguments()) {
            (Head::Symbol(name), []) => Some(self.root(name.as_str())),
            (Head::Store, [a, ..]) => self.class(a),
            (Head::IfThenElse, [_, a, b]) => self.class(a).or_else(|| self.class(b)),
            (Head::Select, [a, _]) => Some(self.root(&format!("{}[]", self.class(a)?))),
            _ => None,
        }
    }

    /// Notes that a name stands for an array.
    fn relate(&mut self, name: String, array: &Term) {
        match (array.head(), array.arguments()) {
            (Head::Store, [a, ..]) => self.relate(name, a),
            (Head::IfThenElse, [_, a, b]) => {
                self.relate(name.clone(), a);
                self.relate(name, b);
            }
            _ => {
                if let Some(other) = self.class(array) {
                    let (a, b) = (self.root(&name), other);
                    if a != b {
                        self.related.insert(a, b);
                    }
                }
            }
        }
    }

    /// Notes which arrays a term compares, or chooses between.
    fn relate_within(&mut self, term: &Term) {
        if let (Head::Equal | Head::IfThenElse, [.., a, b]) = (term.head(), term.arguments())
            && let (Sort::Array(_), Some(class)) = (a.sort(), self.class(a))
        {
            self.relate(class, b);
        }
        term.arguments().iter().for_each(|a| self.relate_within(a));
    }

    /// An integer as a sum of others.
    fn sum(&mut self, term: &Term) -> Sum {
        let found = match (term.head(), term.arguments()) {
            (Head::Int(n), _) => Some(Sum { constant: *n, ..Sum::default() }),
            (Head::IntOp(IntOp::Add), [a, b]) => {
                let b = self.sum(b);
                self.sum(a).add(&b, 1)
            }
            (Head::IntOp(IntOp::Sub), [a, b]) => {
                let b = self.sum(b);
                self.sum(a).add(&b, -1)
            }
            (Head::IntOp(IntOp::Mul), [a, b]) => match (a.head(), b.head()) {
                (Head::Int(n), _) => Sum::default().add(&self.sum(b), *n),
                (_, Head::Int(n)) => Sum::default().add(&self.sum(a), *n),
                _ => None,
            },
            (Head::Symbol(name), []) => {
                if let Some(known) = self.sums.get(name.as_str()) {
                    return known.clone();
                }
                let defined = self.definitions.get(name.as_str()).cloned();
                let sum = defined.map(|term| self.sum(&term)).filter(|s| s.parts.len() <= 3 && s.is_short());
                let sum = sum.unwrap_or_else(|| atom(term));
                self.sums.insert(name.as_str().to_owned(), sum.clone());
                Some(sum)
            }
            _ => None,
        };
        found.unwrap_or_else(|| atom(term))
    }

    /// Notes the definitions on which a term depends.
    fn used(&self, term: &Term, found: &mut HashSet<String>) {
        if let Some(name) = term.as_symbol()
            && let Some(definition) = self.definitions.get(name.as_str())
            && found.insert(name.as_str().to_owned())
        {
            self.used(definition, found);
        }
        term.arguments().iter().for_each(|a| self.used(a, found));
    }

    /// Notes what is needed of the formulas with names in a term.
    fn needed(&mut self, term: &Term, needed: Needed) {
        if let Some(name) = term.as_symbol()
            && let Some(definition) = self.definitions.get(name.as_str()).cloned()
        {
            let known = self.names.entry(name.as_str().to_owned()).or_default();
            let all = known.or(needed);
            if *known != all {
                *known = all;
                self.needed(&definition, all);
            }
        }
        for (n, argument) in term.arguments().iter().enumerate() {
            let needed = needed.of_argument(term.head(), n);
            if *argument.sort() == Sort::Bool && needed != Needed::default() {
                self.needed(argument, needed);
            }
        }
    }

    /// The term with a constant in the place of each quantified formula.
    fn without_quantifiers(&mut self, term: &Term, needed: Needed) -> Term {
        if let (Head::ForAll(bound), [body]) = (term.head(), term.arguments()) {
            return self.flag(bound, body, needed);
        }
        if !is_quantified(term) {
            return term.clone();
        }
        let mut arguments = Vec::new();
        for (n, argument) in term.arguments().iter().enumerate() {
            arguments.push(self.without_quantifiers(argument, needed.of_argument(term.head(), n)));
        }
        term.with_arguments(arguments)
    }

    /// Whether some quantified variable occurs in a term.
    fn has_bound(&self, term: &Term) -> bool {
        term.as_symbol().is_some_and(|s| self.bounds.contains(s.as_str()))
            || term.arguments().iter().any(|a| self.has_bound(a))
    }

    /// The constant for a quantified formula.
    fn flag(&mut self, bound: &Symbol, body: &Term, needed: Needed) -> Term {
        // Equal formulas have one constant, whatever they call the variable.
        let text = body.substituted(bound, &Term::bound(&Symbol::new("k"))).to_string();
        let constant = |name: String, sort: Sort| {
            super::term::Function { name: Symbol::new(&name), parameters: Vec::new(), result: sort }.apply([])
        };
        let number = match self.by_text.get(&text) {
            Some(n) => *n,
            None => {
                let number = self.quantifiers.len();
                self.by_text.insert(text, number);
                let flag = constant(format!("all.{number}"), Sort::Bool);
                self.constants.push(flag.clone());
                let (bound, body) = (bound.clone(), body.clone());
                let done = HashSet::new();
                self.quantifiers.push(Quantifier { flag, bound, body, needed: Needed::default(), done });
                number
            }
        };
        let (flag, before) = (self.quantifiers[number].flag.clone(), self.quantifiers[number].needed);
        self.quantifiers[number].needed = before.or(needed);
        if needed.no && !before.no {
            let witness = constant(format!("not.{number}"), Sort::Int);
            self.constants.push(witness.clone());
            let (bound, body) = (self.quantifiers[number].bound.clone(), self.quantifiers[number].body.clone());
            let denied = self.without_quantifiers(&body.substituted(&bound, &witness), Needed::TRUE.negated());
            self.collect(&denied);
            self.facts.push(Term::or([flag.clone(), denied.negated()]));
        }
        flag
    }

    /// Notes the indexes in a term without quantifiers.
    fn collect(&mut self, term: &Term) {
        let mut seen = HashSet::new();
        self.collect_in(term, &mut seen);
    }

    fn collect_in(&mut self, term: &Term, seen: &mut HashSet<usize>) {
        if term.arguments().is_empty() || !seen.insert(term.address()) {
            return;
        }
        if let Head::Symbol(name) = term.head()
            && self.unfoldings.contains_key(name.as_str())
        {
            let canonical = self.canonical(term);
            let text = canonical.to_string();
            if text.len() <= 4 * LONGEST && self.applications.len() < MOST_APPLICATIONS {
                let depth = self.depth;
                self.applications.entry(text).or_insert((canonical, depth, false));
            }
        }
        if !self.lemmas.is_empty()
            && matches!(term.head(), Head::Select)
            && *term.sort() == Sort::Int
            && self.elements.len() < MOST_APPLICATIONS
        {
            let canonical = self.canonical(term);
            self.elements.entry(canonical.to_string()).or_insert(canonical);
        }
        for (class, index) in self.uses(term) {
            let sum = self.sum(&index);
            let text = sum.term().to_string();
            let all = self.indexes.entry(class).or_default();
            if text.len() <= LONGEST && all.iter().all(|(other, ..)| *other != text) {
                all.push((text, sum, self.round));
            }
        }
        term.arguments().iter().for_each(|a| self.collect_in(a, seen));
    }

    /// An application with its integers as sums.
    fn canonical(&mut self, application: &Term) -> Term {
        let mut arguments = Vec::new();
        for a in application.arguments() {
            arguments.push(if *a.sort() == Sort::Int { self.sum(a).term() } else { a.clone() });
        }
        application.with_arguments(arguments)
    }

    /// Unfolds the applications that are known. Returns whether there were any.
    fn unfold(&mut self) -> bool {
        let open: Vec<(String, Term, usize)> = self
            .applications
            .iter()
            .filter(|(_, (_, depth, done))| !done && *depth < DEEPEST)
            .map(|(text, (application, depth, _))| (text.clone(), application.clone(), *depth))
            .collect();
        for (text, application, depth) in &open {
            self.applications.entry(text.clone()).and_modify(|a| a.2 = true);
            let Head::Symbol(name) = application.head() else { continue };
            let Some(Unfolding { parameters, body, .. }) = self.unfoldings.get(name.as_str()).cloned() else {
                continue;
            };
            let values: HashMap<String, Term> = named(&parameters, application.arguments());
            let body = replaced(&body, &values);
            let outer = std::mem::replace(&mut self.depth, depth + 1);
            let body = self.without_quantifiers(&body, Needed::default());
            self.collect(&body);
            self.depth = outer;
            self.facts.push(application.clone().equals(body));
        }
        !open.is_empty()
    }

    /// Adds the instances of lemmas about the applications that are known. Returns whether there
    /// are new ones.
    fn state_lemmas(&mut self) -> bool {
        let applications = self.applications.values().map(|(application, ..)| application);
        let known: Vec<Term> = applications.chain(self.elements.values()).cloned().collect();
        let before = self.stated.len();
        for (lemma, triggers) in self.lemmas.clone() {
            let parameters: HashSet<String> =
                lemma.parameters.iter().filter_map(|p| Some(p.as_symbol()?.as_str().to_owned())).collect();
            let mut matches: Vec<HashMap<String, Term>> = vec![HashMap::new()];
            for trigger in &triggers {
                let mut more = Vec::new();
                for partial in &matches {
                    for application in &known {
                        let mut values = partial.clone();
                        if self.matches(trigger, application, &parameters, &mut values) {
                            more.push(values);
                        }
                    }
                    if more.len() > MOST_MATCHES {
                        break;
                    }
                }
                matches = more;
            }
            for values in matches {
                if self.stated.len() >= MOST_MATCHES || self.facts.len() >= 2 * MOST_FACTS {
                    self.is_cut = true;
                    return self.stated.len() > before;
                }
                let instance = replaced(&lemma.formula, &values);
                if self.stated.insert(instance.to_string()) {
                    let instance = self.without_quantifiers(&instance, Needed::TRUE);
                    let outer = std::mem::replace(&mut self.depth, DEEPEST);
                    self.collect(&instance);
                    self.depth = outer;
                    self.facts.push(instance);
                }
            }
        }
        self.stated.len() > before
    }

    /// Whether an application has the form of a trigger. Adds the values of its parameters.
    fn matches(
        &mut self,
        trigger: &Term,
        application: &Term,
        parameters: &HashSet<String>,
        values: &mut HashMap<String, Term>,
    ) -> bool {
        let is_same = match (trigger.head(), application.head()) {
            (Head::Symbol(f), Head::Symbol(g)) => f == g,
            (Head::Select, Head::Select) => true,
            _ => false,
        };
        if !is_same {
            return false;
        }
        for (pattern, argument) in trigger.arguments().iter().zip(application.arguments()) {
            if *pattern.sort() != Sort::Int {
                let Some(name) = pattern.as_symbol() else { return false };
                let known = values.entry(name.as_str().to_owned()).or_insert_with(|| argument.clone());
                if known.to_string() != argument.to_string() {
                    return false;
                }
                continue;
            }
            let (mut sum, value) = (self.sum(&replaced(pattern, values)), self.sum(argument));
            let open: Vec<String> = sum.parts.keys().filter(|p| parameters.contains(*p)).cloned().collect();
            let fits = match &open[..] {
                [] => value.add(&sum, -1).is_some_and(|d| d.parts.is_empty() && d.constant == 0),
                [only] => match sum.parts.remove(only) {
                    Some((_, sign @ (1 | -1))) => {
                        value.add(&sum, -1).and_then(|d| Sum::default().add(&d, sign)).is_some_and(|d| {
                            values.insert(only.clone(), d.term());
                            true
                        })
                    }
                    _ => false,
                },
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// The classes in which the arguments of a term are indexes.
    fn uses(&self, term: &Term) -> Vec<(String, Term)> {
        match (term.head(), term.arguments()) {
            (Head::Select | Head::Store, [array, index, ..]) => {
                self.class(array).map(|class| (class, index.clone())).into_iter().collect()
            }
            (Head::Symbol(f), arguments) => {
                let integers = arguments.iter().enumerate().filter(|(_, a)| *a.sort() == Sort::Int);
                integers.map(|(n, a)| (format!("{}({n})", f.as_str()), a.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    fn patterns(&mut self, body: &Term, bound: &Symbol, found: &mut Vec<Pattern>) {
        for (class, index) in self.uses(body) {
            if !index.mentions(bound) {
                continue;
            }
            let mut sum = self.sum(&index);
            let text = Term::bound(bound).to_string();
            let Some((_, sign)) = sum.parts.remove(&text).filter(|(_, factor)| factor.abs() == 1) else { continue };
            // Other quantified variables are not known yet.
            if sum.parts.values().all(|(term, _)| !self.has_bound(term)) {
                found.push(Pattern { class, sign, rest: sum });
            }
        }
        body.arguments().iter().for_each(|a| self.patterns(a, bound, found));
    }

    /// Adds the instances at all indexes that are known. Returns whether there are new ones.
    fn round(&mut self, round: usize, most: usize) -> bool {
        let mut is_new = self.unfold();
        is_new |= self.state_lemmas();
        for n in 0..self.quantifiers.len() {
            if !self.quantifiers[n].needed.yes {
                continue;
            }
            let (bound, body) = (self.quantifiers[n].bound.clone(), self.quantifiers[n].body.clone());
            let mut patterns = Vec::new();
            self.patterns(&body, &bound, &mut patterns);
            let mut wanted: BTreeMap<String, Term> = BTreeMap::new();
            let mut seen: BTreeSet<String> = BTreeSet::new();
            for pattern in patterns {
                let known = self.indexes.get(&pattern.class).into_iter().flatten();
                // Not those that instances bring in this round: each quantifier would add to those
                // before.
                for (_, index, _) in known.filter(|(_, _, from)| *from < round && *from <= LAST_ROUND_OF_INDEXES) {
                    let moved = index.clone().add(&pattern.rest, -1);
                    let at = moved.and_then(|sum| Sum::default().add(&sum, pattern.sign));
                    let Some(at) = at.map(|sum| sum.term()) else { continue };
                    let text = at.to_string();
                    if text.len() <= LONGEST && !self.quantifiers[n].done.contains(&text) && seen.insert(text.clone()) {
                        wanted.insert(text, at);
                    }
                }
            }
            for (text, at) in wanted {
                if self.quantifiers[n].done.len() >= most || self.facts.len() >= MOST_FACTS {
                    self.is_cut = true;
                    break;
                }
                is_new = true;
                self.quantifiers[n].done.insert(text);
                let instance = self.without_quantifiers(&body.substituted(&bound, &at), Needed::TRUE);
                self.round = round;
                self.collect(&instance);
                self.round = 0;
                let flag = self.quantifiers[n].flag.clone();
                self.facts.push(flag.implies(instance));
            }
        }
        is_new
    }
}

impl Sum {
    /// Whether its text is short enough to be compared often.
    fn is_short(&self) -> bool {
        self.parts.keys().map(String::len).sum::<usize>() < 200
    }
}

fn atom(term: &Term) -> Sum {
    Sum { parts: BTreeMap::from([(term.to_string(), (term.clone(), 1))]), constant: 0 }
}

fn is_quantified(term: &Term) -> bool {
    matches!(term.head(), Head::ForAll(_)) || term.arguments().iter().any(is_quantified)
}

/// Constants by their names, with their values.
fn named(constants: &[Term], values: &[Term]) -> HashMap<String, Term> {
    let names = constants.iter().filter_map(|c| Some(c.as_symbol()?.as_str().to_owned()));
    names.zip(values.iter().cloned()).collect()
}

/// The term with other terms in the place of constants.
fn replaced(term: &Term, values: &HashMap<String, Term>) -> Term {
    if let Some(value) = term.as_symbol().and_then(|s| values.get(s.as_str())) {
        return value.clone();
    }
    if term.arguments().is_empty() {
        return term.clone();
    }
    term.with_arguments(term.arguments().iter().map(|a| replaced(a, values)).collect())
}

/// Applications and elements in a lemma that determine all its parameters, as few as possible.
fn triggers(lemma: &Schema, unfoldings: &HashMap<String, Unfolding>) -> Option<Vec<Term>> {
    let mut all = Vec::new();
    applications(&lemma.formula, unfoldings, &mut all);
    let names: Vec<String> = lemma.parameters.iter().filter_map(|p| Some(p.as_symbol()?.as_str().to_owned())).collect();
    // An argument determines a parameter if it is the only one in it that is not known yet.
    let covers = |chosen: &[&Term]| {
        let mut known: HashSet<&str> = HashSet::new();
        for argument in chosen.iter().flat_map(|t| t.arguments()) {
            let mut of = Vec::new();
            symbols(argument, &mut of);
            of.retain(|s| names.iter().any(|n| n == s) && !known.contains(s));
            of.dedup();
            if let [only] = of[..] {
                known.insert(only);
            }
        }
        names.iter().all(|n| known.contains(n.as_str()))
    };
    if all.is_empty() {
        return None;
    }
    selections(&lemma.formula, &mut all);
    if let Some(one) = all.iter().find(|t| covers(&[t])) {
        return Some(vec![one.clone()]);
    }
    for (n, a) in all.iter().enumerate() {
        if let Some(b) = all[n + 1..].iter().find(|b| covers(&[a, b])) {
            return Some(vec![a.clone(), b.clone()]);
        }
    }
    None
}

fn applications(term: &Term, unfoldings: &HashMap<String, Unfolding>, found: &mut Vec<Term>) {
    if matches!(term.head(), Head::ForAll(_)) {
        return;
    }
    if matches!(term.head(), Head::Symbol(name) if unfoldings.contains_key(name.as_str())) {
        found.push(term.clone());
    }
    term.arguments().iter().for_each(|a| applications(a, unfoldings, found));
}

/// The elements of arrays in a term, outside of quantifiers.
fn selections(term: &Term, found: &mut Vec<Term>) {
    if matches!(term.head(), Head::ForAll(_)) {
        return;
    }
    if matches!(term.head(), Head::Select) && term.arguments()[0].as_symbol().is_some() {
        found.push(term.clone());
    }
    term.arguments().iter().for_each(|a| selections(a, found));
}

fn symbols<'t>(term: &'t Term, found: &mut Vec<&'t str>) {
    found.extend(term.as_symbol().map(Symbol::as_str));
    term.arguments().iter().for_each(|a| symbols(a, found));
}

/// The names of the quantified variables in a term.
fn bounds(term: &Term, found: &mut HashSet<String>) {
    if let Head::ForAll(name) = term.head() {
        found.insert(name.as_str().to_owned());
    }
    term.arguments().iter().for_each(|a| bounds(a, found));
}
