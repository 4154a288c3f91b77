//! The stage `refine`: abstracts the program to a few variables and a few cells of its arrays. Runs
//! of the abstraction show which ones to add (Armando, Benerecetti, Mantovani 2007).
//!
//! Each round abstracts the program to the kept variables and cells, and asks the domains about the
//! abstraction, then CBMC with growing bounds. What holds of the abstraction holds of the program.
//! A failing run of the abstraction gives a path, and the solver says whether the program can
//! follow it. If it can, the interpreter runs the program with the solver's values. If it cannot,
//! the formulas that contradict each other say what to keep next. Every round keeps more than the
//! previous one, so there are at most as many rounds as scalars and cells.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::config::LEAST;
use super::observed::Observed;
use super::progress::Silent;
use super::query::{Checker, Question, no_answer};
use super::replay::{self, Replayed};
use super::unwind::BOUNDS;
use crate::analysis::{self, AnalysisConfig};
use crate::cbmc::{ModelChecker, TraceValue};
use crate::clock;
use crate::interpreter::{Observer, Outcome, State};
use crate::program::{AssertionId, Obligation, ObligationKey, Program, Stmt};
use crate::reduce::normal::Inlined;
use crate::reduce::refine::{Abstraction, Event, Formula, Kept, Lesson, Path, Subject, learn, lessen};
use crate::smt::{self, Logic, Script, Solver, Term, Value};
use crate::verdict::{Answer, Counterexample, Late, Reason, Tool};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// The share of the remaining time that the domains may use in a round, and the most that they may
/// use.
const DOMAINS_SHARE: f64 = 0.2;
const DOMAINS_TIME: Duration = Duration::from_secs(3);
/// The longest path that is examined, in steps.
const MOST_STEPS: usize = 20_000;
/// The largest number of cells that may be kept.
const MOST_CELLS: usize = 400;

/// The number of iterations up to which a run counts as short. If no short run fails, the cells
/// that the program names by constant indexes are kept before longer runs are examined. Longer runs
/// are hard to find and to learn from, and often one of these cells is the one that matters.
const SHORT: u32 = 6;
/// The largest number of such named cells.
const MOST_NAMED: usize = 32;

/// The steps that each byte of a question to the solver costs.
const STEPS_PER_BYTE: u64 = 10;

/// One round.
#[derive(Clone, Debug)]
pub struct Round {
    /// The number of kept cells, and of all cells if it is known.
    pub cells: (usize, Option<u64>),
    /// The numbers of kept scalars and of all scalars.
    pub scalars: (usize, usize),
    /// The length of the path that the program cannot follow; `None` if no short path fails.
    pub path: Option<usize>,
    /// What was added for the next round, in words.
    pub learned: Vec<String>,
}

/// How the work on an assertion ends.
#[derive(Clone, Debug)]
pub enum Refined {
    /// No run fails; the text says how this is known.
    Holds(String),
    /// A run that fails.
    Fails(ObligationKey, Counterexample),
}

/// The whole work on one assertion.
pub struct Refinement {
    /// All rounds except the last.
    pub rounds: Vec<Round>,
    /// The last round, in which nothing was added.
    pub last: Round,
    /// The last abstraction.
    pub abstraction: Option<Program>,
    /// The result, or why there is none.
    pub end: Result<Refined, Reason>,
}

pub(super) fn run(
    program: &Program,
    inlined: &Inlined,
    checker: &mut Checker<'_>,
    solver: &Result<&dyn Solver, String>,
    stacks: &[AnalysisConfig],
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    board.each_assertion(deadline, |obligation, assertion, until, board| {
        if checker.uncalled.contains(obligation.key) {
            return Err(Reason::Uncalled);
        }
        let solver = match solver {
            Ok(solver) => *solver,
            Err(why) => {
                board.note(why);
                return Err(Reason::Missing(why.clone()));
            }
        };
        let slow = BTreeSet::new();
        let search =
            RefinementLoop { program, obligation, assertion, checker, solver, stacks, slow, deadline: until, board };
        let Refinement { rounds, last, end, .. } = search.run(inlined);
        match end? {
            Refined::Holds(how) => {
                arrivals.vouch(obligation.key, Need::Run, until)?;
                Ok(format!("{} rounds, {} cells kept, {how}", rounds.len() + 1, last.cells.0))
            }
            Refined::Fails(key, counterexample) => {
                let detail = format!("{} rounds, replayed", rounds.len() + 1);
                board.answer(key, Answer::Violated(detail, counterexample));
                // This is a reason for the assertion only if another obligation fails.
                Err(Reason::FailsElsewhere)
            }
        }
    });
}

/// Refines abstractions of a program for one of its assertions.
///
/// # Errors
/// The obligation is not an assertion.
pub fn refinement(
    program: &Program,
    obligation: &Obligation,
    model: &dyn ModelChecker,
    solver: &dyn Solver,
    stacks: &[AnalysisConfig],
    deadline: Instant,
) -> Result<Refinement, String> {
    let ObligationKey::Assertion(assertion) = obligation.key else {
        return Err("abstractions are made for assertions only".to_owned());
    };
    let board = &mut Board::new(vec![obligation.clone()], &Silent);
    let checker = &mut Checker::new(program, Ok(model));
    let slow = BTreeSet::new();
    let search = RefinementLoop { program, obligation, assertion, checker, solver, stacks, slow, deadline, board };
    Ok(search.run(&Inlined::new(program)))
}

/// The search for one assertion.
struct RefinementLoop<'s, 'p, 'b> {
    program: &'s Program,
    obligation: &'s Obligation,
    assertion: AssertionId,
    checker: &'s mut Checker<'p>,
    solver: &'s dyn Solver,
    /// The domains that are asked first, one after the other.
    stacks: &'s [AnalysisConfig],
    /// The domains that did not finish in time. With a larger abstraction they would not finish
    /// either.
    slow: BTreeSet<usize>,
    deadline: Instant,
    board: &'s mut Board<'b>,
}

/// The result of a round for the abstraction.
enum Looked {
    Holds(String),
    /// A run that fails.
    Fails(Observed),
    /// Runs with many iterations were not examined, since there are cells that can be kept without
    /// them.
    Long(Kept),
}

impl RefinementLoop<'_, '_, '_> {
    fn run(mut self, inlined: &Inlined) -> Refinement {
        let mut rounds = Vec::new();
        let empty = Round { cells: (0, None), scalars: (0, 0), path: None, learned: Vec::new() };
        let refinement = |rounds, last, abstraction, end| Refinement { rounds, last, abstraction, end };
        let subject = match Subject::new(inlined, self.assertion) {
            Ok(subject) => subject,
            Err(why) => return refinement(rounds, empty, None, Err(why.into())),
        };
        let total = subject.arrays.keys().try_fold(0u64, |all, a| all.checked_add(subject.size(a)?));
        let mut kept = subject.first();
        let mut bound = 0;
        loop {
            let now = Round {
                cells: (kept.cell_count(), total),
                scalars: (kept.scalars.len(), subject.scalars.len()),
                path: None,
                learned: Vec::new(),
            };
            let abstraction = Abstraction::new(&subject, &kept);
            let round = self.round(&subject, &kept, &abstraction, rounds.len() + 1, &mut bound);
            match round {
                Ok(Next::End(end)) => return refinement(rounds, now, Some(abstraction.plain()), Ok(end)),
                Err(why) => return refinement(rounds, now, Some(abstraction.plain()), Err(why)),
                Ok(Next::Keep(more, path, learned)) => {
                    rounds.push(Round { path, learned, ..now });
                    kept = more;
                }
            }
        }
    }

    fn round(
        &mut self,
        subject: &Subject,
        kept: &Kept,
        abstraction: &Abstraction,
        number: usize,
        bound: &mut usize,
    ) -> Result<Next, Reason> {
        if kept.cell_count() > MOST_CELLS {
            return Err(Reason::Undecided(format!(
                "{} cells would have to be kept, which is too many",
                kept.cell_count()
            )));
        }
        let cells = kept.cell_count();
        self.board.working(&format!("round {number}, {cells} cells kept"));
        let observed = match self.look(subject, kept, abstraction, bound)? {
            Looked::Holds(how) => return Ok(Next::End(Refined::Holds(how))),
            Looked::Fails(observed) => observed,
            Looked::Long(more) => {
                let learned = in_words(subject, &Lesson::new(kept, more.clone()));
                return Ok(Next::Keep(more, None, learned));
            }
        };
        let mut watch = Watch { abstraction, events: Vec::new() };
        let outcome = replay::follow(&abstraction.program, observed, self.deadline, &mut watch);
        if !matches!(outcome, Outcome::AssertionFailed(id) if id == self.assertion) {
            let words = "a failing run of the abstraction does not fail when it is run again";
            return Err(Reason::Undecided(words.to_owned()));
        }
        let path = Path::new(&subject.body, &watch.events);
        if path.len() > MOST_STEPS {
            let words = format!("a failing run of the abstraction has {} steps, too many", path.len());
            return Err(Reason::Undecided(words));
        }
        let formula = Formula::new(subject, &path)?;
        let script = Script {
            logic: Logic::QfAufbv,
            declarations: formula.declarations.clone(),
            assertions: formula.facts.iter().map(|f| (f.name.clone(), f.term.clone())).collect(),
            values: wanted(&formula),
            about: "whether the program can follow a failing path of its abstraction".to_owned(),
            ..Script::default()
        };
        let ask = |script: &Script| {
            let script = &Script { about: format!("{}: {}", self.obligation.id, script.about), ..script.clone() };
            let answer = self.solver.ask(script, clock::of_others(self.deadline));
            clock::spend((script.to_string().len() as u64).saturating_mul(STEPS_PER_BYTE));
            answer.map_err(|why| Reason::of_failure(Tool::Solver, &why))
        };
        match ask(&script)? {
            smt::Answer::Unknown(why) => {
                let words = format!("the solver does not know whether the program can follow a path ({why})");
                Err(Reason::Undecided(words))
            }
            smt::Answer::Satisfiable(values) => {
                let observed = observed_in(&formula, &values);
                let key = self.obligation.key;
                let is_open = |k| k == key || self.board.is_open(k);
                match replay::replay_observed(self.program, observed, self.deadline, key, is_open) {
                    Replayed::Fails(failed, counterexample) => Ok(Next::End(Refined::Fails(failed, counterexample))),
                    Replayed::Not { reason, .. } => Err(reason),
                }
            }
            smt::Answer::Unsatisfiable(all) => {
                let core = lessen(&formula, all, &mut { ask })?;
                let lesson = learn(subject, &formula, &core, kept, &mut { ask })?;
                let learned = in_words(subject, &lesson);
                Ok(Next::Keep(lesson.kept, Some(path.len()), learned))
            }
        }
    }

    /// Whether the abstraction has a run that fails.
    fn look(
        &mut self,
        subject: &Subject,
        kept: &Kept,
        abstraction: &Abstraction,
        bound: &mut usize,
    ) -> Result<Looked, Reason> {
        let obligations = std::slice::from_ref(self.obligation);
        for (n, config) in self.stacks.iter().enumerate() {
            if self.slow.contains(&n) {
                continue;
            }
            let now = clock::now();
            let time = self.deadline.saturating_duration_since(now).mul_f64(DOMAINS_SHARE).min(DOMAINS_TIME);
            let config = AnalysisConfig { deadline: Some(now + time), ..config.clone() };
            let found = analysis::analyse(&abstraction.program, obligations, &config);
            if clock::now() - now >= time {
                self.slow.insert(n);
            }
            let Ok(found) = found else { continue };
            if found.findings.get(&self.obligation.key).is_some_and(|f| f.fails_nowhere) {
                return Ok(Looked::Holds(found.stack));
            }
        }
        while let Some(&unwind) = BOUNDS.get(*bound) {
            if self.deadline.saturating_duration_since(clock::now()) < LEAST {
                return Err(Reason::Time(Late::Share));
            }
            if unwind > SHORT
                && let Some(more) = with_named(subject, kept)
            {
                return Ok(Looked::Long(more));
            }
            let question = Question::of_all_runs(&abstraction.program, obligations, unwind);
            let judged = self.checker.judge(&question, self.deadline, self.board).map_err(|why| why.reason)?;
            if let Some(trace) = judged.fails.get(&self.obligation.key) {
                return Ok(Looked::Fails(Observed::new(trace, &judged.emitted)));
            }
            if judged.holds.contains(&self.obligation.key) {
                return Ok(Looked::Holds(format!("complete at unwinding {unwind}")));
            }
            if judged.complete {
                let why = judged.obstacles.into_iter().next();
                return Err(why.map_or_else(no_answer, Reason::Obstacle));
            }
            *bound += 1;
        }
        let words = "not every loop of the abstraction ends within the largest unwinding";
        Err(Reason::Undecided(words.to_owned()))
    }
}

/// Adds the cells that the program names by constant indexes, if they are few and not all kept.
fn with_named(subject: &Subject, kept: &Kept) -> Option<Kept> {
    let mut more = kept.clone();
    for (array, cells) in subject.named_cells() {
        more.cells.entry(array).or_default().extend(cells);
    }
    let new = more.cell_count() - kept.cell_count();
    (1..=MOST_NAMED).contains(&new).then_some(more)
}

/// Describes in words what is new.
fn in_words(subject: &Subject, lesson: &Lesson) -> Vec<String> {
    let mut learned = Vec::new();
    for (array, numbers) in &lesson.cells {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        learned.push(format!("{} at {}", subject.name(array), numbers.join(", ")));
    }
    learned.extend(lesson.scalars.iter().map(|p| subject.name(p)));
    learned
}

/// Watches a run of an abstraction.
struct Watch<'a> {
    abstraction: &'a Abstraction,
    events: Vec<Event>,
}

impl Observer for Watch<'_> {
    fn at(&mut self, stmt: &Stmt, _state: &State<'_, '_>) {
        self.events.extend(self.abstraction.event(stmt));
    }
}

/// The continuation after a round.
enum Next {
    End(Refined),
    /// What to keep, the length of the path, and what is new in words.
    Keep(Kept, Option<usize>, Vec<String>),
}

/// The terms whose values determine a run: inputs, initial values of scalars, and for each cell its
/// index and its initial value.
fn wanted(formula: &Formula) -> Vec<Term> {
    let inputs = formula.inputs.iter().map(|(_, term)| term.clone());
    let scalars = formula.initial.iter().filter_map(|(_, term)| term.clone());
    let cells = formula.cells.iter().flat_map(|(_, index, cell)| [index.clone(), cell.clone()]);
    inputs.chain(scalars).chain(cells).collect()
}

/// The run that these values determine.
fn observed_in(formula: &Formula, values: &[Value]) -> Observed {
    let mut values = values.iter();
    let mut next = || values.next().and_then(|value| value.bits()).unwrap_or(0);
    let inputs = formula.inputs.iter().map(|(id, _)| (*id, TraceValue::Bits(next()))).collect();
    let mut initial: Vec<_> =
        formula.initial.iter().map(|(v, term)| (*v, term.as_ref().map(|_| TraceValue::Bits(next())))).collect();
    let mut cells: HashMap<_, BTreeMap<u64, TraceValue>> = HashMap::new();
    for (v, ..) in &formula.cells {
        let (index, value) = (next(), next());
        if let Ok(index) = u64::try_from(index) {
            cells.entry(*v).or_default().insert(index, TraceValue::Bits(value));
        }
    }
    for (v, value) in initial.iter_mut().rev() {
        if value.is_none() {
            *value = cells.remove(v).map(TraceValue::Array);
        }
    }
    let initial = initial.into_iter().map(|(v, value)| (v, value.unwrap_or_default())).collect();
    Observed { inputs, initial, ..Observed::default() }
}
