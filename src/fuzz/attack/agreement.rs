//! Compares what the readings of formulas say about a known state.
//!
//! There is one run, so the interpreter knows of each formula whether it is true, is false, or has
//! no value. A stage may then prove no false formula and refute no true one. (What it says of
//! formulas without a value is its own choice.)
//!
//! The domains answer at once and are asked about each formula. A solver or a model checker takes
//! a process for each question, so a few formulas are joined: if one false formula is true for the
//! stage, then so is the disjunction of false formulas, and if one true formula is false for it,
//! then so is the conjunction of true ones.

use super::Looked;
use super::judge::Judge;
use super::verdicts::passes;
use crate::deduce::{Conditions, Decision};
use crate::interpreter::{self, CellOrigin, Environment, Limits, Observer, Outcome, State};
use crate::program::{
    AssertionId, Block, Claim, ClaimRole, Formula, InputId, Location, ObligationKey, ObligationKind, Program, Stmt,
    StmtKind, Term, Type, VisitMut,
};
use crate::reduce::normal::Inlined;
use crate::verdict::{Stage, Verdict};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

const LIMITS: Limits = Limits { steps: 1_000_000, cells: 1 << 20, depth: 200, ..Limits::NONE };

/// The most formulas that are joined for a stage. A question about many is often too hard, and one
/// that a stage does not understand hides the others.
fn most_joined(stage: Stage) -> usize {
    match stage {
        Stage::Induction => 6,
        Stage::Summary => 1,
        _ => 4,
    }
}

impl Judge<'_> {
    /// Compares the answers of a stage about the formulas of a program with their values.
    ///
    /// # Errors
    /// The description of a bug: a stage proves what is false, or refutes what is true.
    pub(super) fn of_agreement(&self, stage: Stage) -> Result<Looked, String> {
        let values = values(self.program);
        let count = |value| values.values().filter(|v| **v == value).count() as u64;
        let mut looked = Looked {
            runs: 1,
            states: count(Some(true)) + count(Some(false)),
            skipped: count(None),
            obligations: values.len() as u64,
            failing: count(Some(false)),
            ..Looked::default()
        };
        if stage == Stage::Domains {
            for (id, said) in self.answers(self.program, stage)? {
                looked.proved += u64::from(said == Answer::Holds);
                looked.violated += u64::from(said == Answer::Fails);
                let value = values.get(&id).copied();
                self.compare(stage, &[id], value, said)?;
            }
            return Ok(looked);
        }
        let (joined, groups) = joined(self.program, &values, most_joined(stage));
        for (id, said) in self.answers(&joined, stage)? {
            let (members, value) = match groups.iter().find(|g| g.members.last() == Some(&id)) {
                Some(group) => (&*group.members, Some(Some(group.value))),
                None => (&[id][..], values.get(&id).copied()),
            };
            looked.proved += if said == Answer::Holds { members.len() as u64 } else { 0 };
            looked.violated += if said == Answer::Fails { members.len() as u64 } else { 0 };
            self.compare(stage, members, value, said)?;
        }
        Ok(looked)
    }

    /// What a stage alone says about the assertions of a program.
    fn answers(&self, program: &Program, stage: Stage) -> Result<Vec<(AssertionId, Answer)>, String> {
        if stage == Stage::Induction {
            // Without the check of what runs reach, which is not about formulas.
            let solver = self.external.solver()?;
            let Ok(conditions) = Conditions::of(&Inlined::new(program), &mut crate::stages::failing_checks) else {
                return Ok(Vec::new());
            };
            let mut answers = Vec::new();
            for id in (0..program.assertions.len()).map(|n| AssertionId(n as u32)) {
                if claims(program).any(|(c, _)| c == id) {
                    let proved = conditions.decide(id, solver, self.until) == Decision::Proved;
                    answers.push((id, if proved { Answer::Holds } else { Answer::Unknown }));
                }
            }
            return Ok(answers);
        }
        let report = Judge { program, ..*self }.decide(&[stage], &[ObligationKind::Assertion], self.until)?;
        let answers = report.obligations.iter().filter_map(|d| {
            let ObligationKey::Assertion(id) = d.obligation.key else { return None };
            let answer = match d.verdict {
                Verdict::Proved => Answer::Holds,
                Verdict::Unreachable => Answer::Unreachable,
                Verdict::Violated => Answer::Fails,
                Verdict::Unknown if d.evidence.reasons.iter().any(|left| passes(&left.reason)) => Answer::Fails,
                Verdict::Unknown => Answer::Unknown,
            };
            Some((id, answer))
        });
        Ok(answers.collect())
    }

    fn compare(
        &self,
        stage: Stage,
        formulas: &[AssertionId],
        value: Option<Option<bool>>,
        said: Answer,
    ) -> Result<(), String> {
        let wrong = match said {
            Answer::Holds => value == Some(Some(false)),
            Answer::Fails => value == Some(Some(true)),
            Answer::Unreachable => value.is_some(),
            Answer::Unknown => false,
        };
        if !wrong {
            return Ok(());
        }
        let all: Vec<&str> = formulas.iter().map(|f| &*self.program.assertions[f.0 as usize].condition).collect();
        let value = match value {
            Some(Some(true)) => "true",
            Some(Some(false)) => "false",
            _ => "evaluated",
        };
        let one_of = if all.len() > 1 { "one of " } else { "" };
        Err(format!("{stage} says {said:?} of {one_of}`{}`, which the interpreter finds {value}", all.join("`, `")))
    }
}

/// What a stage says about a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Holds,
    Fails,
    Unreachable,
    Unknown,
}

/// The values of the formulas that the run comes to; `None` for one without a value. What a run
/// reads of a cell before it is written is no value either: other runs find something else there.
fn values(program: &Program) -> BTreeMap<AssertionId, Option<bool>> {
    let reached = Reached::default();
    let mut recorded = Recorded { reached: Rc::clone(&reached.0), ..Recorded::default() };
    let outcome = interpreter::run(program, &mut recorded, &mut { reached }, &LIMITS).outcome;
    let (reached, values) = (recorded.reached.take(), recorded.values.into_inner());
    let known = recorded.known.unwrap_or(reached.len());
    let mut found = BTreeMap::new();
    for (n, id) in reached.iter().enumerate() {
        let value = match (&outcome, values.get(id)) {
            _ if n >= known => None,
            (_, Some(value)) => *value,
            (Outcome::AssertionFailed(failed), _) if failed == id => Some(false),
            (Outcome::Finished | Outcome::Stopped, _) => Some(true),
            // The run ended there.
            _ if n + 1 == reached.len() => None,
            _ => Some(true),
        };
        found.insert(*id, value);
    }
    found
}

/// Notes the checks that fail or have no value, and goes on.
#[derive(Default)]
struct Recorded {
    values: RefCell<BTreeMap<AssertionId, Option<bool>>>,
    reached: Rc<RefCell<Vec<AssertionId>>>,
    /// How many of the claims were evaluated before the first value from outside.
    known: Option<usize>,
}

impl Recorded {
    fn given(&mut self) -> i128 {
        let begun = self.reached.borrow().len();
        self.known.get_or_insert(begun.saturating_sub(1));
        0
    }
}

impl Environment for Recorded {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        self.given()
    }
    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        self.given()
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        self.given()
    }
    fn goes_on(&self, check: AssertionId, value: Option<bool>) -> bool {
        self.values.borrow_mut().insert(check, value);
        true
    }
}

/// The claims that a run comes to.
#[derive(Default)]
struct Reached(Rc<RefCell<Vec<AssertionId>>>);

impl Observer for Reached {
    fn at(&mut self, stmt: &Stmt, _: &State<'_, '_>) {
        if let StmtKind::Claim(claim) = &stmt.kind {
            self.0.borrow_mut().extend(claim.role.assertion());
        }
    }
}

/// Formulas that one claim stands for: the last of them.
struct Group {
    members: Vec<AssertionId>,
    value: bool,
}

/// All claims, with their formulas.
fn claims(program: &Program) -> impl Iterator<Item = (AssertionId, &Formula)> {
    let mut found = Vec::new();
    program.each_stmt(|s| {
        if let StmtKind::Claim(claim) = &s.kind
            && let Some(id) = claim.role.assertion()
        {
            found.push((id, &claim.formula));
        }
    });
    found.into_iter()
}

/// The program with its checks joined in groups. Checks without a value are left out.
fn joined(program: &Program, values: &BTreeMap<AssertionId, Option<bool>>, most: usize) -> (Program, Vec<Group>) {
    let mut program = program.clone();
    let mut groups = Vec::new();
    for function in &mut program.functions {
        if let Some(body) = &mut function.body {
            join(body, values, most, &mut groups);
        }
    }
    (program, groups)
}

fn join(block: &mut Block, values: &BTreeMap<AssertionId, Option<bool>>, most: usize, groups: &mut Vec<Group>) {
    let mut open = [false, true].map(|value| Open { value, members: Vec::new(), joined: None });
    let mut next = 0;
    for stmt in std::mem::take(block) {
        let Some(id) = check_of(&stmt) else {
            // Only what is claimed of the same state is joined.
            open.iter_mut().for_each(|o| o.end(block, groups));
            block.push(stmt);
            continue;
        };
        let (StmtKind::Claim(claim), Some(value)) = (&stmt.kind, values.get(&id).copied().flatten()) else { continue };
        let formula = with_own_variables(claim.formula.clone(), &mut next);
        let group = &mut open[usize::from(value)];
        group.members.push(id);
        let formula = match group.joined.take() {
            None => formula,
            Some((a, _)) if value => Formula::And(Box::new(a), Box::new(formula)),
            Some((a, _)) => Formula::Or(Box::new(a), Box::new(formula)),
        };
        group.joined = Some((formula, stmt));
        if group.members.len() == most {
            group.end(block, groups);
        }
    }
    open.iter_mut().for_each(|o| o.end(block, groups));
}

/// A group that may grow, with the statement of its last member.
struct Open {
    value: bool,
    members: Vec<AssertionId>,
    joined: Option<(Formula, Stmt)>,
}

impl Open {
    fn end(&mut self, block: &mut Block, groups: &mut Vec<Group>) {
        let members = std::mem::take(&mut self.members);
        if let (Some((formula, mut stmt)), Some(last)) = (self.joined.take(), members.last()) {
            stmt.kind = StmtKind::Claim(Box::new(Claim { formula, role: ClaimRole::Check(*last) }));
            block.push(stmt);
            groups.push(Group { members, value: self.value });
        }
    }
}

fn check_of(stmt: &Stmt) -> Option<AssertionId> {
    match &stmt.kind {
        StmtKind::Claim(claim) => match claim.role {
            ClaimRole::Check(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The formula with variables that no formula before has.
fn with_own_variables(mut formula: Formula, next: &mut u32) -> Formula {
    struct Renumber {
        by: u32,
        next: u32,
    }
    impl VisitMut for Renumber {
        fn formula(&mut self, f: &mut Formula) {
            if let Formula::ForAll(q) = f {
                q.bound.0 += self.by;
                self.next = self.next.max(q.bound.0 + 1);
            }
            self.walk_formula(f);
        }
        fn term(&mut self, t: &mut Term) {
            if let Term::Bound(id) = t {
                id.0 += self.by;
            }
            self.walk_term(t);
        }
    }
    let mut renumber = Renumber { by: *next, next: *next };
    renumber.formula(&mut formula);
    *next = renumber.next;
    formula
}

#[cfg(test)]
mod tests {
    use super::super::{Attack, Effort, External, Programs, Question, load, trial};
    use super::*;
    use crate::program::DataModel;
    use smalti_stack::Registry;
    use std::time::{Duration, Instant};

    #[test]
    fn formulas_are_true_false_or_without_a_value_in_fair_shares() {
        let (mut all, mut counts) = (0, BTreeMap::<Option<bool>, usize>::new());
        for seed in 0..120 {
            let program = load(&Programs::Formulas.sample(seed).text, DataModel::Lp64).expect("a valid program");
            all += program.assertions.len();
            values(&program).values().for_each(|v| *counts.entry(*v).or_default() += 1);
        }
        let share = |value| 100 * counts.get(&value).copied().unwrap_or(0) / all;
        let shares = [share(Some(true)), share(Some(false)), share(None)];
        let refused = 100 - shares.iter().sum::<usize>();
        println!("of {all} formulas: % true, false, without a value: {shares:?}; refused: {refused}");
        assert!(shares[0] > 20 && shares[1] > 20 && (4..35).contains(&shares[2]) && refused < 30, "{shares:?}");
    }

    #[test]
    fn the_domains_agree_with_the_interpreter_about_formulas() {
        let external = External::domains(Registry::default());
        let attack = Attack { programs: Programs::Formulas, question: Question::Agreement(Stage::Domains) };
        let (now, hour) = (Instant::now(), Duration::from_secs(3600));
        let effort = Effort { first: 0, programs: 60, until: now + hour, patience: hour };
        let trial = trial(&attack, &effort, &external, &|| false);
        if let Some(found) = trial.found {
            panic!("program {}: {}\n{}", found.origin.seed, found.bug, found.text);
        }
        assert!(trial.programs == 60 && trial.looked.states > 400 && trial.looked.proved > 60, "{:?}", trial.looked);
    }

    #[test]
    fn what_a_cell_holds_before_it_exists_is_no_value() {
        let text = "/*@ predicate same{K, L}(int *r) = \\at(r[0], K) == \\at(r[0], L); */\nint main(void) {\n  \
                    int a[1] = { 0 };\n  int *q = a;\n  L:\n  a[0] = 2;\n  /*@ check a[0] == 2; */\n  /*@ check same{L, Here}(q); */\n  /*@ check same{Pre, L}(q); */\n  \
                    return 0;\n}\n";
        let program = load(text, DataModel::Lp64).expect("a valid program");
        let said: Vec<Option<bool>> = values(&program).into_values().collect();
        assert_eq!(said, [Some(true), Some(false), None]);
    }

    #[test]
    fn joined_formulas_are_about_one_state_and_have_one_value() {
        let text = "int main(void) {\n  int x = 1;\n  /*@ check x == 1; */ /*@ check x == 2; */ /*@ check x == 1 / 0; */ /*@ check x > 0; */\n  \
                    x = 2;\n  /*@ check \\forall integer k; 0 <= k < x ==> k < 2; */ /*@ check \\exists integer k; 0 <= k < x && k == 1; */\n  \
                    return 0;\n}\n";
        let program = load(text, DataModel::Lp64).expect("a valid program");
        let values = values(&program);
        let said: Vec<Option<bool>> = values.values().copied().collect();
        assert_eq!(said, [Some(true), Some(false), None, Some(true), Some(true), Some(true)]);
        let (joined, groups) = joined(&program, &values, 6);
        let groups: Vec<(Vec<u32>, bool)> =
            groups.into_iter().map(|g| (g.members.into_iter().map(|m| m.0).collect(), g.value)).collect();
        assert_eq!(groups, [(vec![1], false), (vec![0, 3], true), (vec![4, 5], true)]);
        let written = crate::program::print::to_c(&joined, &mut crate::program::print::Plain);
        assert!(written.contains("check x == 1 && x > 0"), "{written}");
        // Every variable is bound once.
        let mut bound = Vec::new();
        for (_, f) in claims(&joined) {
            if let Formula::And(a, b) = f
                && let (Formula::ForAll(p), Formula::Not(q)) = (&**a, &**b)
                && let Formula::ForAll(q) = &**q
            {
                bound.extend([p.bound.0, q.bound.0]);
            }
        }
        assert_eq!(bound, [0, 1]);
    }
}
