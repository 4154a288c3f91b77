//! Finds out whether runs reach an obligation. An obligation is not proved if every run meets
//! undefined behaviour before it.
//!
//! A run reaches an assertion when it evaluates the condition; that of `if (p) reach_error();` is
//! the condition of the `if`. A run that meets undefined behaviour on the way, or within the
//! condition (`assert(a[10] == 4)` for an array of ten), does not reach it. A run reaches a check
//! when it reaches the check's statement, so a run that reaches one operation of a statement counts
//! for all its operations. Stages whose proofs are about abstractions or parts of the program
//! cannot tell whether runs arrive. If none arrives, nothing fails, and these stages take the
//! obligation as proved. A few runs of the program itself settle the question.

use super::trial::{Choice, Chosen, LONG, ODD, PLAIN, constants, odd};
use crate::cfg::Later;
use crate::clock;
use crate::interpreter::{self, Limit, Limits, Observer, Outcome, State};
use crate::program::{
    AssertionId, Block, CONSTANTS_STAY, LITERALS_STAY, Length, Location, OBJECTS_LAST, ObligationKey, ObligationKind,
    Program, RESULTS_ARE_RETURNED, SiteId, Stmt, StmtKind, Type,
};
use crate::verdict::{NoArrival, Reason};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The number of statements that a run may execute in its first turn, before the other runs get a
/// turn.
const FIRST_STEPS: u64 = 200_000;
/// The factor by which the limit on a run's statements grows at each further turn.
const GROWTH: u64 = 4;
/// The limit on the statements of a run; beyond it the search gives the run up.
const MOST_STEPS: u64 = 20_000_000_000;
/// The number of cells of memory that a run may have; some 600 MB.
const MOST_CELLS: u64 = 1 << 23;
/// The share that the search may use of the time that a stage has left for an assertion, and the
/// least time that suffices.
const SHARE: f64 = 0.5;
const LEAST_TIME: Duration = Duration::from_millis(100);
/// The time that the search may use if it only looks for doubts.
const DOUBT_TIME: Duration = Duration::from_secs(8);
/// The time that the search may use if every operation on the way is known to be defined, and no
/// run breaks an assumption.
const SECOND_OPINION: Duration = Duration::from_millis(200);
/// The time in which most runs arrive that do.
const SOON: Duration = Duration::from_millis(50);
/// The total time of the search for proofs of the kind [`Need::NoContrary`]. Runs that reach an
/// obligation, or end before it, nearly always do so at once.
const CONTRARY_TIME: Duration = Duration::from_secs(1);

/// The number of statements that a run may execute that is to access memory out of bounds.
const STRAY_STEPS: u64 = 2_000_000;
/// The number of statements that all such runs may execute together.
const ALL_STRAY_STEPS: u64 = 8_000_000;

/// The known facts about the runs that reach obligations. Every run counts for all of them, in all
/// stages.
pub struct Arrivals<'p> {
    program: &'p Program,
    constants: Vec<i128>,
    came: Came,
    /// The events that ended runs too early, at different places.
    ended: Vec<Ended>,
    /// Where the assertions stand.
    assertions: BTreeMap<AssertionId, SiteId>,
    /// What may run after statements, if that was asked.
    later: Option<Later<'p>>,
    /// The obligations for which the domains or closed forms have shown that every operation before
    /// them, and in their own condition, is defined.
    pub(super) defined: BTreeSet<ObligationKey>,
    /// Whether the domains have shown that every access to memory lies in an object, in all runs up
    /// to their first undefined operation.
    pub(super) accesses_hold: bool,
    /// Whether runs may break assumptions.
    pub(super) may_break: bool,
    /// The runs that have not ended.
    open: Vec<Open>,
    /// The rest of [`CONTRARY_TIME`].
    contrary_time: Duration,
    /// Whether closed forms show that every operation is defined, if that was asked.
    all_defined: Option<bool>,
    /// Where some run accesses memory out of bounds, if such a run was looked for.
    stray: Option<Option<Location>>,
}

/// The end of a run by undefined behaviour, or by what breaks an assumption.
struct Ended {
    what: String,
    location: Location,
    /// The last statement that it began.
    site: Option<SiteId>,
    /// The statements that could have run afterwards; `None` stands for any.
    later: Option<BTreeSet<SiteId>>,
}

/// The most places where runs end that are told apart.
const MOST_ENDS: usize = 8;

/// The obligations that some run has reached.
struct Came {
    /// The assertions whose condition it has evaluated.
    assertions: BTreeSet<AssertionId>,
    /// For each site, whether it has reached the statement.
    statements: Vec<bool>,
    /// The statement that the current run has begun last.
    last: Option<SiteId>,
}

impl Came {
    fn new(program: &Program) -> Came {
        Came { assertions: BTreeSet::new(), statements: vec![false; program.counters.sites as usize], last: None }
    }

    fn contains(&self, key: ObligationKey) -> bool {
        match key {
            ObligationKey::Assertion(id) => self.assertions.contains(&id),
            ObligationKey::Check(site, _) => self.statements.get(site.0 as usize).is_some_and(|came| *came),
        }
    }

    fn note(&mut self, stmt: &Stmt) {
        self.last = Some(stmt.site);
        if let Some(came) = self.statements.get_mut(stmt.site.0 as usize) {
            *came = true;
        }
    }
}

/// A run that has not ended.
struct Open {
    /// The next turn of the run. Early runs get far before the last ones begin.
    turn: usize,
    choice: Choice,
    /// The number of statements that it may execute next time.
    steps: u64,
}

/// The number of runs that share the first turn.
const TOGETHER: usize = 4;

/// How much a proof needs a run that reaches its obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// Such a run must exist, because the proof would also succeed if there were none.
    Run,
    /// Such a run must exist, unless no operation on the way can be undefined. In that case runs
    /// end elsewhere because the program says so, and the proof counts. A run that meets undefined
    /// behaviour speaks against the proof.
    NoDoubt,
    /// The proof does not count if some run ends early and no run reaches the obligation. This is
    /// for stages that know of some undefined operations, but not of all.
    NoContrary,
    /// The proof does not count if no run reaches the obligation, and some run ends where it could
    /// have gone on to it. This is for stages that know that every operation on the way is defined,
    /// while runs may break assumptions.
    NoEndBefore,
}

impl<'p> Arrivals<'p> {
    /// Starts with no run made.
    pub fn new(program: &'p Program) -> Arrivals<'p> {
        let choices = PLAIN.into_iter().chain(odd(program)).enumerate();
        let open = choices.map(|(n, choice)| Open { turn: n / TOGETHER, choice, steps: FIRST_STEPS }).collect();
        Arrivals {
            program,
            constants: constants(program),
            came: Came::new(program),
            ended: Vec::new(),
            assertions: assertions(program),
            later: None,
            defined: BTreeSet::new(),
            accesses_hold: false,
            may_break: may_break(program),
            open,
            contrary_time: CONTRARY_TIME,
            all_defined: None,
            stray: None,
        }
    }

    /// Whether a run is known to reach an obligation. If none is known, searches for one within a
    /// share of the time.
    pub fn comes_to(&mut self, key: ObligationKey, deadline: Instant) -> bool {
        let now = clock::now();
        let time = deadline.saturating_duration_since(now).mul_f64(SHARE).max(LEAST_TIME);
        self.search(key, now + time);
        self.came.contains(key)
    }

    /// Whether a run is known to reach an obligation, or is found soon.
    pub(super) fn comes_soon(&mut self, key: ObligationKey, deadline: Instant) -> bool {
        self.search(key, deadline.min(clock::now() + SOON));
        self.came.contains(key)
    }

    /// Whether a run is known to reach an obligation or to end before it, or is found soon.
    pub(super) fn shows_soon(&mut self, key: ObligationKey, deadline: Instant) -> bool {
        self.comes_soon(key, deadline) || !self.ended.is_empty()
    }

    /// Where an obligation stands.
    fn site_of(&self, key: ObligationKey) -> Option<SiteId> {
        match key {
            ObligationKey::Check(site, _) => Some(site),
            ObligationKey::Assertion(id) => self.assertions.get(&id).copied(),
        }
    }

    /// The statements that may run after one of these has begun; `None` stands for any.
    fn later(&mut self, from: &BTreeSet<SiteId>) -> Option<BTreeSet<SiteId>> {
        self.later.get_or_insert_with(|| Later::new(self.program)).after(from)
    }

    /// The obligations among these to which a run may come after one of these statements.
    pub(super) fn after(
        &mut self,
        from: &BTreeSet<SiteId>,
        keys: impl Iterator<Item = ObligationKey>,
    ) -> BTreeSet<ObligationKey> {
        if from.is_empty() {
            return BTreeSet::new();
        }
        let later = self.later(from);
        let is_later = |site| later.as_ref().is_none_or(|later| later.contains(&site));
        keys.filter(|key| self.site_of(*key).is_none_or(is_later)).collect()
    }

    /// The end of a run that could have come to an obligation if it had gone on.
    fn end_before(&self, key: ObligationKey) -> Option<&Ended> {
        let site = self.site_of(key);
        self.ended.iter().find(|end| site.zip(end.later.as_ref()).is_none_or(|(site, later)| later.contains(&site)))
    }

    /// Whether every operation is defined, as `find` says. It is asked once.
    pub(super) fn all_defined(&mut self, find: impl FnOnce() -> bool) -> bool {
        *self.all_defined.get_or_insert_with(find)
    }

    /// Whether a proof counts, judged by what runs show. Takes a share of the time up to
    /// `deadline`.
    ///
    /// # Errors
    /// Why the proof does not count.
    pub(super) fn vouch(&mut self, key: ObligationKey, need: Need, deadline: Instant) -> Result<(), Reason> {
        let begin = clock::now();
        let came = match need {
            Need::Run => self.comes_to(key, deadline),
            // The limits on time are for programs whose runs arrive soon. Where every operation on
            // the way is defined, a run that arrives is only a second opinion, unless runs may end
            // by breaking an assumption.
            Need::NoDoubt => {
                let time = match self.defined.contains(&key) {
                    true if self.may_break => CONTRARY_TIME,
                    true => SECOND_OPINION,
                    false => DOUBT_TIME,
                };
                self.comes_to(key, deadline.min(begin + time))
            }
            Need::NoContrary | Need::NoEndBefore => {
                self.search(key, deadline.min(begin + self.contrary_time));
                self.contrary_time = self.contrary_time.saturating_sub(clock::now() - begin);
                self.came.contains(key)
            }
        };
        if came {
            return Ok(());
        }
        let end = match need {
            Need::NoEndBefore => self.end_before(key),
            _ => self.ended.first(),
        };
        if let Some(Ended { what, location, .. }) = end {
            return Err(Reason::NoArrival(NoArrival::Ends(what.clone(), *location)));
        }
        match need {
            Need::NoContrary | Need::NoEndBefore => Ok(()),
            Need::NoDoubt if self.defined.contains(&key) => Ok(()),
            Need::NoDoubt => Err(Reason::NoArrival(NoArrival::Doubt)),
            Need::Run => Err(Reason::NoArrival(NoArrival::Abstraction)),
        }
    }

    /// Whether the proof of an assertion counts that holds for runs without undefined behaviour:
    /// some run must arrive, and none may access memory out of bounds, as far as runs show.
    ///
    /// # Errors
    /// Why the proof does not count.
    pub(super) fn confirm(&mut self, key: ObligationKey, deadline: Instant) -> Result<(), Reason> {
        self.vouch(key, Need::NoDoubt, deadline)?;
        match self.stray_access(key, deadline) {
            None => Ok(()),
            Some(at) => Err(Reason::Undecided(format!(
                "it holds in all runs without undefined behaviour, but a run accesses memory out of bounds ({})",
                self.program.sources.describe(at)
            ))),
        }
    }

    /// Where some run accesses memory outside of an object, as far as a second finds out. After
    /// such an access the memory of a real program may hold anything, so a proof that presumes that
    /// none happens may mislead, even where the access itself is not to be checked. If every
    /// access, or every operation before the obligation, is known to be defined, nothing is looked
    /// for.
    pub(super) fn stray_access(&mut self, key: ObligationKey, deadline: Instant) -> Option<Location> {
        if self.accesses_hold || self.defined.contains(&key) {
            return None;
        }
        if self.stray.is_none() {
            self.stray = Some(self.find_stray_access(deadline.min(clock::now() + CONTRARY_TIME)));
        }
        self.stray.flatten()
    }

    fn find_stray_access(&self, until: Instant) -> Option<Location> {
        let mut lengths = BTreeSet::new();
        self.program.each_stmt(|s| {
            if let StmtKind::Declare(_) | StmtKind::Allocate { .. } = s.kind {
                lengths.insert(s.site);
            }
        });
        // First inputs that are larger than an array is long.
        let beyond = lengths_of_arrays(self.program).into_iter().map(|length| Choice::Always(i128::from(length) + 1));
        let mut left = ALL_STRAY_STEPS;
        for choice in beyond.chain(PLAIN).chain(ODD).chain(LONG) {
            if clock::now() >= until || left == 0 {
                return None;
            }
            let mut values = Chosen::new(self.program, choice, &self.constants);
            let limits = Limits { deadline: Some(until), steps: STRAY_STEPS.min(left), ..super::trial::LIMITS };
            let run = interpreter::run(self.program, &mut values, &mut Nothing, &limits);
            left = left.saturating_sub(run.steps);
            // That the length of an array is not positive is no access.
            if let Outcome::Undefined {
                kind: ObligationKind::Bounds | ObligationKind::Lifetime,
                key: ObligationKey::Check(site, _),
                location,
            } = run.outcome
                && run.havocs == 0
                && !lengths.contains(&site)
            {
                return Some(location);
            }
            if run.determined {
                // It is the only run.
                return None;
            }
        }
        None
    }

    /// The last run ended too early.
    fn ends(&mut self, what: String, location: Location) {
        let site = self.came.last;
        if self.ended.iter().any(|ended| ended.site == site || ended.later.is_none()) {
            return;
        }
        let is_told_apart = self.ended.len() < MOST_ENDS;
        let later = site.filter(|_| is_told_apart).and_then(|site| self.later(&BTreeSet::from([site])));
        self.ended.push(Ended { what, location, site, later });
    }

    /// Makes runs until one reaches the obligation. They take turns, with more statements each
    /// time.
    fn search(&mut self, key: ObligationKey, until: Instant) {
        while !self.came.contains(key)
            && clock::now() < until
            && let Some(next) = (0..self.open.len()).min_by_key(|n| (self.open[*n].turn, self.open[*n].steps))
        {
            let Open { turn, choice, steps } = self.open.remove(next);
            let mut values = Chosen::new(self.program, choice, &self.constants);
            let mut watch = Watch { came: &mut self.came };
            let limits = Limits { deadline: Some(until), steps, cells: MOST_CELLS, ..super::trial::LIMITS };
            let run = interpreter::run(self.program, &mut values, &mut watch, &limits);
            let outcome = run.outcome;
            if outcome == Outcome::LimitReached(Limit::Time) {
                self.open.insert(0, Open { turn, choice, steps });
                continue;
            }
            let goes_on = outcome == Outcome::LimitReached(Limit::Steps) && steps < MOST_STEPS;
            if values.chosen == 0 {
                // The run has taken no value yet, so all other runs take the same path up to here.
                match goes_on {
                    true => self.open.iter_mut().for_each(|other| other.steps = other.steps.max(steps * GROWTH)),
                    false => self.open.clear(),
                }
            }
            match outcome {
                _ if goes_on => self.open.insert(0, Open { turn: turn + 1, choice, steps: steps * GROWTH }),
                Outcome::AssertionFailed(id) => {
                    self.came.assertions.insert(id);
                }
                // The values that unknown code leaves were made up. That such a value is null, for
                // example, does not count against a proof.
                Outcome::Undefined { kind, location, .. } if run.havocs == 0 => {
                    self.ends(format!("meet undefined behaviour first: {kind}"), location);
                }
                Outcome::Excluded { assumption, location } if run.havocs == 0 => {
                    self.ends(format!("break an assumption first: {assumption}"), location);
                }
                _ => {}
            }
        }
    }
}

/// Where the assertions of a program stand.
fn assertions(program: &Program) -> BTreeMap<AssertionId, SiteId> {
    let mut found = BTreeMap::new();
    program.each_stmt(|stmt| match &stmt.kind {
        StmtKind::Assert(_, id) => _ = found.insert(*id, stmt.site),
        StmtKind::Claim(claim) => found.extend(claim.role.assertion().map(|id| (id, stmt.site))),
        _ => {}
    });
    found
}

/// The lengths of arrays, a few.
fn lengths_of_arrays(program: &Program) -> Vec<u64> {
    const FEW: usize = 4;
    let lengths: BTreeSet<u64> = program
        .variables
        .iter()
        .filter_map(|v| match &v.ty {
            Type::Array(_, Length::Constant(length)) => Some(*length),
            _ => None,
        })
        .collect();
    lengths.into_iter().take(FEW).collect()
}

/// Whether runs of the program may break a listed assumption.
fn may_break(program: &Program) -> bool {
    let breakable = [OBJECTS_LAST, LITERALS_STAY, CONSTANTS_STAY, RESULTS_ARE_RETURNED];
    let mut found = program.assumptions.iter().any(|a| breakable.contains(&a.text.as_str()));
    program.each_stmt(|s| found |= matches!(s.kind, StmtKind::Presume(_)));
    found
}

/// The assertion that a block begins with, if it never holds: whoever decides whether the block
/// runs has evaluated what it asserts.
fn fails_first(block: &Block) -> Option<AssertionId> {
    let first = block.iter().find(|s| !matches!(s.kind, StmtKind::Label(..) | StmtKind::Skip))?;
    match &first.kind {
        StmtKind::Block(inner) => fails_first(inner),
        StmtKind::Assert(condition, id) if condition.as_int() == Some(0) => Some(*id),
        _ => None,
    }
}

/// Records nothing.
struct Nothing;

impl Observer for Nothing {}

/// Records the obligations that a run reaches.
struct Watch<'a> {
    came: &'a mut Came,
}

impl Observer for Watch<'_> {
    fn at(&mut self, stmt: &Stmt, _: &State<'_, '_>) {
        // The condition of a loop is evaluated at its tests.
        if !matches!(stmt.kind, StmtKind::Loop(_)) {
            self.came.note(stmt);
        }
    }

    fn test(&mut self, stmt: &Stmt, _: &State<'_, '_>) {
        self.came.note(stmt);
    }

    fn tested(&mut self, stmt: &Stmt, holds: bool) {
        if let StmtKind::If(_, a, b) = &stmt.kind {
            self.came.assertions.extend(fails_first(if holds { b } else { a }));
        }
    }

    fn done(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assert(_, id) => _ = self.came.assertions.insert(*id),
            StmtKind::Claim(claim) => self.came.assertions.extend(claim.role.assertion()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{LowerOptions, load_text};

    fn load(text: &str) -> Program {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        load_text("t.c", &format!("int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int); {text}"), &options)
            .unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
    }

    #[test]
    fn a_run_that_ends_elsewhere_says_nothing() {
        let program = load(
            "int puts(const char *); void exit(int);
             static void usage(const char *name) { puts(name); exit(1); }
             int main(int argc, char **argv) {
                 if (argc != 3) usage(argv[0]);
                 __VERIFIER_assert(argv[1] != argv[3]);
                 return 0; }",
        );
        let key = ObligationKey::Assertion(AssertionId(0));
        let mut arrivals = Arrivals::new(&program);
        let deadline = Instant::now() + Duration::from_secs(1000);
        // A run without arguments hands a null pointer to the library, before it would end anyway.
        arrivals.search(key, deadline);
        assert!(!arrivals.ended.is_empty() && arrivals.end_before(key).is_none());
    }

    #[test]
    fn long_runs_come_to_assertions_beside_endless_ones() {
        // More statements than a run may execute in its first turn.
        let program = load(
            "int main(void) { int x = __VERIFIER_nondet_int(); while (x != 10) { x = x; }
             for (int i = 0; i < 120000; i++) { __VERIFIER_assert(i >= 0); } __VERIFIER_assert(x == 10); }",
        );
        let mut arrivals = Arrivals::new(&program);
        let deadline = Instant::now() + Duration::from_secs(1000);
        assert!(arrivals.comes_to(ObligationKey::Assertion(AssertionId(1)), deadline));
        // On its way, the run has reached the other one.
        assert!(arrivals.came.contains(ObligationKey::Assertion(AssertionId(0))));
    }

    #[test]
    fn where_every_run_ends_before_it_the_search_ends_too() {
        let program =
            load("int main(void) { for (int i = 0; i < 300000; i++) { } if (0) { int x = 1; __VERIFIER_assert(x); } }");
        let (begin, time) = (Instant::now(), Duration::from_secs(100));
        let key = ObligationKey::Assertion(AssertionId(0));
        assert!(!Arrivals::new(&program).comes_to(key, begin + time));
        assert!(begin.elapsed() < time / 4, "one run says it for all, since it takes no values");
    }

    #[test]
    fn who_decides_against_a_branch_that_fails_has_evaluated_what_it_asserts() {
        let program = load(
            "void reach_error(void); int main(void) { int x = 3, a[2] = {0};
             if (x != 3) { ERROR: { reach_error(); } }
             if (x == 3) { } else reach_error();
             if (x != 3) { x = 5; reach_error(); }
             if (a[x] == 7) reach_error(); }",
        );
        let came = |id| {
            let key = ObligationKey::Assertion(AssertionId(id));
            Arrivals::new(&program).comes_to(key, Instant::now() + Duration::from_secs(60))
        };
        assert!(came(0) && came(1));
        assert!(!came(2), "the branch does something else first");
        assert!(!came(3), "the condition is undefined");
    }

    #[test]
    fn a_condition_that_is_undefined_is_not_come_to() {
        let program = load("int main(void) { int z = 0; __VERIFIER_assert(1 / z == 1 / z); }");
        let key = ObligationKey::Assertion(AssertionId(0));
        let vouched = Arrivals::new(&program).vouch(key, Need::NoDoubt, Instant::now() + Duration::from_secs(60));
        assert!(vouched.is_err_and(|why| {
            matches!(why, Reason::NoArrival(NoArrival::Ends(what, _)) if what.contains("division"))
        }));
    }
}
