//! Concrete runs with a few chosen inputs. An obligation that fails in them needs no model checker.
//! The number of their iterations tells which bounds of unwinding are too small.

use super::board::Board;
use super::replay::judge;
use super::statements::statements;
use super::taken::Taken;
use super::trail::Trail;
use crate::clock;
use crate::interpreter::{self, CellOrigin, Environment, Limit, Limits, ObjectOrigin, Observer, Outcome, Run, State};
use crate::program::{
    AssertionId, Expr, ExprKind, InputId, LibraryInput, Location, Origin, Outside, Program, SiteId, Stmt, StmtKind,
    Type, each_stmt,
};
use crate::verdict::{Answer, Unconfirmed};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};

/// How the values of a run are chosen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    /// Always the same value.
    Always(i128),
    /// The index of the value times this number: an ascending or descending sequence.
    Ramp(i128),
    /// Small numbers at random, by seed.
    Small(u64),
    /// The program's own constants, their neighbours and small numbers at random, by seed.
    Constants(u64),
    /// Any numbers at random, by seed.
    Any(u64),
    /// Small numbers at random, by seed; the elements of arrays ascend in the order in which they
    /// are read first.
    Ascending(u64),
    /// Small numbers at random, by seed; of the elements of arrays, half are one constant of the
    /// program, which the seed selects, and a quarter are 0, with which strings end.
    Favourite(u64),
    /// Typical texts at random, by seed, for what functions of the library read; small numbers for
    /// the rest.
    Text(u64),
}

/// The first runs: their failing runs are as easy to read as those of a model checker.
pub(super) const PLAIN: [Choice; 4] = [Choice::Always(0), Choice::Always(1), Choice::Always(2), Choice::Always(3)];
/// Runs for failures that a model checker does not reach: loops that run thousands of times before
/// something fails.
pub(super) const ODD: [Choice; 16] = [
    Choice::Ramp(1),
    Choice::Ramp(-1),
    Choice::Small(1),
    Choice::Constants(2),
    Choice::Any(3),
    Choice::Always(-1),
    Choice::Always(10),
    Choice::Always(100),
    Choice::Always(1000),
    Choice::Small(4),
    Choice::Small(5),
    Choice::Constants(6),
    Choice::Constants(7),
    Choice::Constants(8),
    Choice::Any(9),
    Choice::Any(10),
];
/// Runs that make loops run long, if the program lets them.
pub(super) const LONG: [Choice; 5] =
    [Choice::Always(20_000), Choice::Always(1000), Choice::Always(100), Choice::Constants(11), Choice::Any(12)];

/// The most arguments of `main`, its own name among them.
const MOST_ARGUMENTS: i128 = 4;

/// The number of further runs of programs that get texts from outside.
const TEXTS: u64 = 48;
/// The number of those that come first.
const FIRST_TEXTS: u64 = 12;

/// The runs beyond the first that suit a program.
pub(super) fn odd(program: &Program) -> Vec<Choice> {
    let from_outside = |outside: &Outside| matches!(outside, Outside::Texts | Outside::Environment);
    let gets_texts = program.library_inputs.values().any(is_character) || program.outside.values().any(from_outside);
    let texts = |seeds: Range<u64>| seeds.map(Choice::Text).filter(|_| gets_texts);
    texts(0..FIRST_TEXTS).chain(ODD).chain(texts(FIRST_TEXTS..TEXTS)).collect()
}

/// Whether the library reads a character, or finds the end of what it reads.
fn is_character(input: &LibraryInput) -> bool {
    (input.least, input.most) == (-1, 255)
}

pub(super) const LIMITS: Limits = Limits { steps: 20_000_000, cells: 1 << 22, depth: 1000, ..Limits::NONE };

/// The number of statements that a run may execute in each round. With rounds, a run that never
/// ends takes no time from the others.
const ROUNDS: [u64; 3] = [20_000, 1_000_000, LIMITS.steps];

/// The amount of work that runs do.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Most {
    /// The largest number of tests of a loop's condition in one execution of the loop.
    pub(super) tests: u64,
    /// The largest number of statements of a run that ended.
    pub(super) statements: u64,
}

/// Runs the program with each choice and puts on the board what fails. Returns how much the runs
/// did.
pub(super) fn run(
    program: &Program,
    choices: &[Choice],
    deadline: Instant,
    time: Duration,
    board: &mut Board<'_>,
) -> Most {
    let constants = constants(program);
    let end = deadline.min(clock::now() + time);
    let mut most = Most::default();
    let mut open = choices.to_vec();
    for steps in ROUNDS {
        let mut longer = Vec::new();
        for &choice in &open {
            if clock::now() >= end || board.all_open().is_empty() {
                return most;
            }
            let limits = Limits { steps, deadline: Some(end), ..LIMITS };
            let ran = refute(program, choice, &constants, &limits, "a run with chosen inputs", board);
            most.tests = most.tests.max(ran.tests);
            let cut = ran.run.outcome == Outcome::LimitReached(Limit::Steps);
            if cut {
                longer.push(choice);
            } else {
                most.statements = most.statements.max(ran.run.steps);
            }
            // All other runs take the same path.
            if ran.run.determined {
                break;
            }
        }
        open = longer;
    }
    most
}

/// The result of a run.
pub(super) struct Ran {
    pub(super) run: Run,
    /// The largest number of tests of a loop's condition in one execution of the loop.
    pub(super) tests: u64,
    /// Why the run refutes nothing, if so.
    pub(super) refuted: Result<(), Unconfirmed>,
}

/// Runs the program once, and puts on the board what the run refutes. If it reads what nothing has
/// written, it goes on with any value. Then it is made once more, to end there.
pub(super) fn refute(
    program: &Program,
    choice: Choice,
    constants: &[i128],
    limits: &Limits,
    detail: &str,
    board: &mut Board<'_>,
) -> Ran {
    let mut values = Chosen::new(program, choice, constants);
    let mut counter = Counter { since_reached: HashMap::new(), most: 0, trail: Trail::new(program) };
    let run = interpreter::run(program, &mut values, &mut counter, limits);
    let refuted = judge(&run, |key| board.is_open(key)).map(|key| {
        let statements = statements(program, &mut Chosen::new(program, choice, constants), &run, limits);
        let counterexample = values.taken.counterexample(run.steps, counter.trail, statements);
        board.answer(key, Answer::Violated(detail.to_owned(), counterexample));
    });
    if run.read_unset && !limits.unset_ends && board.asks_about_reads() {
        refute(program, choice, constants, &Limits { unset_ends: true, ..*limits }, detail, board);
    }
    Ran { run, tests: counter.most, refuted }
}

/// An index that a number selects.
fn pick(n: u64, among: usize) -> usize {
    usize::try_from(n % among as u64).unwrap_or(0)
}

/// The chosen values of a run.
pub(super) struct Chosen<'p> {
    program: &'p Program,
    choice: Choice,
    constants: &'p [i128],
    random: u64,
    /// How many values have been chosen.
    pub(super) chosen: i128,
    /// By array, the element that was chosen last.
    last_elements: HashMap<ObjectOrigin, i128>,
    /// The constants that are characters, which texts consist of among others.
    characters: Vec<u8>,
    /// The last character of the text that is read.
    last_character: i128,
    taken: Taken<'p>,
}

impl<'p> Chosen<'p> {
    pub(super) fn new(program: &'p Program, choice: Choice, constants: &'p [i128]) -> Self {
        let random = match choice {
            Choice::Always(_) | Choice::Ramp(_) => 0,
            Choice::Small(seed)
            | Choice::Constants(seed)
            | Choice::Any(seed)
            | Choice::Ascending(seed)
            | Choice::Favourite(seed)
            | Choice::Text(seed) => seed,
        };
        Chosen {
            choice,
            constants,
            random,
            chosen: 0,
            last_elements: HashMap::new(),
            characters: constants.iter().filter_map(|c| u8::try_from(*c).ok()).filter(|c| *c > 10).collect(),
            last_character: 0,
            taken: Taken::new(program),
            program,
        }
    }

    fn choose(&mut self, ty: &Type) -> i128 {
        let n = self.next();
        self.chosen += 1;
        let value = match self.choice {
            Choice::Always(value) => value,
            Choice::Ramp(step) => self.chosen * step,
            Choice::Small(_) | Choice::Ascending(_) | Choice::Favourite(_) | Choice::Text(_) => i128::from(n % 12) - 3,
            Choice::Constants(_) if n & 1 == 0 || self.constants.is_empty() => i128::from((n >> 1) % 6),
            Choice::Constants(_) => self.constants[pick(n >> 1, self.constants.len())],
            Choice::Any(_) => i128::from(n),
        };
        self.fitted(value, ty)
    }

    /// A value that a function of the library takes.
    fn choose_for_library(&mut self, input: &LibraryInput, ty: &Type) -> i128 {
        match self.choice {
            Choice::Text(seed) if is_character(input) => self.character(seed),
            _ => self.choose(ty),
        }
    }

    /// The next character of a text that is read, from lines of a typical length. It ends after a
    /// line.
    fn character(&mut self, seed: u64) -> i128 {
        const END: i128 = -1;
        const NEWLINE: i128 = 10;
        const LENGTHS: [u64; 3] = [12, 40, 1000];
        const LINES: u64 = 6;
        let n = self.next();
        self.chosen += 1;
        let last = std::mem::replace(&mut self.last_character, 0);
        self.last_character = match n % LENGTHS[pick(seed, LENGTHS.len())] {
            _ if last == NEWLINE && (n >> 32).is_multiple_of(LINES) => END,
            0 => NEWLINE,
            _ => self.letter(seed).into(),
        };
        self.last_character
    }

    /// A character inside of a text. The seed says of what texts consist.
    fn letter(&mut self, seed: u64) -> u8 {
        const SETS: [&[u8]; 4] = [b"0123456789", b"aZ9", b" a,:;=-./x", b"\0\xff 9Az"];
        let n = self.next();
        let set = SETS[pick(seed, SETS.len())];
        match self.characters.is_empty() || n & 3 > 0 {
            true => set[pick(n >> 2, set.len())],
            false => self.characters[pick(n >> 2, self.characters.len())],
        }
    }

    /// A text as a whole: mostly a number, or some characters.
    fn choose_text(&mut self) -> Vec<u8> {
        const NUMBERS: [&str; 6] = ["0", "1", "-1", "7", "40", "99999999999999999999"];
        const LENGTHS: [u64; 3] = [4, 24, 200];
        let n = self.next();
        self.chosen += 1;
        match self.choice {
            Choice::Text(seed) if seed & 4 == 0 => {
                let length = n % LENGTHS[pick(seed, LENGTHS.len())];
                let letters = (0..length).map(|_| self.letter(seed / 8));
                letters.filter(|c| *c != 0).collect()
            }
            Choice::Text(_) => NUMBERS[pick(n, NUMBERS.len())].into(),
            _ => self.choose(&Type::INT).to_string().into_bytes(),
        }
    }

    /// An element of an array.
    fn choose_element(&mut self, of: ObjectOrigin, ty: &Type) -> i128 {
        let value = self.choose(ty);
        let choice = self.choice;
        match choice {
            Choice::Ascending(_) => {
                let element = self.last_elements.entry(of).or_insert(-1);
                *element += value.rem_euclid(3);
                let element = *element;
                self.fitted(element, ty)
            }
            Choice::Favourite(seed) if !self.constants.is_empty() => {
                let favourite = self.constants[usize::try_from(seed).unwrap_or(0) % self.constants.len()];
                match self.next() & 3 {
                    0 | 1 => self.fitted(favourite, ty),
                    2 => 0,
                    _ => value,
                }
            }
            _ => value,
        }
    }

    fn fitted(&self, value: i128, ty: &Type) -> i128 {
        match ty {
            Type::Int(kind) => kind.wrap(value, self.program.data_model),
            _ => 0,
        }
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA
    /// 2014).
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Environment for Chosen<'_> {
    fn input(&mut self, input: InputId, ty: &Type, at: Location) -> i128 {
        let value = match self.program.library_inputs.get(&input) {
            Some(taken) => self.choose_for_library(taken, ty),
            None => self.choose(ty),
        };
        self.taken.input(input, at, value)
    }

    fn arbitrary(&mut self, origin: &CellOrigin<'_>, ty: &Type) -> i128 {
        let value = match (origin.object, origin.object_type) {
            (ObjectOrigin::Heap { .. }, _) | (_, Type::Array(..)) => self.choose_element(origin.object, ty),
            _ => self.choose(ty),
        };
        let simple = matches!(self.choice, Choice::Always(_) | Choice::Ramp(_));
        let value = match origin.object {
            ObjectOrigin::Variable { variable, .. } => match self.program.variable(variable).origin {
                // Few values lead anywhere.
                Origin::Choice | Origin::OffsetOfArgument if simple => 0,
                Origin::Choice => value & 1,
                _ if self.program.texts_of_entry().is_some_and(|(count, _)| count == variable) => {
                    value.rem_euclid(MOST_ARGUMENTS + 1)
                }
                Origin::OffsetOfArgument => value & i128::from(self.random & 3),
                _ => value,
            },
            ObjectOrigin::Heap { .. } | ObjectOrigin::Outside => value,
        };
        self.taken.arbitrary(origin, ty, value)
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }

    fn gives_texts(&self) -> bool {
        true
    }

    fn text(&mut self, name: &str, may_be_missing: bool, at: Location) -> Option<Vec<u8>> {
        let is_missing = may_be_missing && self.choose(&Type::INT).rem_euclid(4) == 0;
        let text = (!is_missing).then(|| self.choose_text());
        self.taken.text(name, at, text)
    }

    fn chooses(&self) -> bool {
        true
    }
}

/// Limits on the runs of [`failing_checks`].
const CHECKING_TIME: Duration = Duration::from_millis(1500);
const CHECKING_STEPS: u64 = 100_000;
const MOST_CHECKING_RUNS: usize = 1000;
const ENOUGH_CHECKING_RUNS: usize = 64;

/// The `check`s of a program that fail, or have no value, in some run with chosen inputs.
pub(crate) fn failing_checks(program: &Program) -> BTreeSet<AssertionId> {
    struct Checking<'p> {
        chosen: Chosen<'p>,
        failing: RefCell<BTreeSet<AssertionId>>,
    }
    impl Environment for Checking<'_> {
        fn input(&mut self, input: InputId, ty: &Type, at: Location) -> i128 {
            self.chosen.input(input, ty, at)
        }

        fn arbitrary(&mut self, origin: &CellOrigin<'_>, ty: &Type) -> i128 {
            self.chosen.arbitrary(origin, ty)
        }

        fn havoc(&mut self, ty: &Type, at: Location) -> i128 {
            self.chosen.havoc(ty, at)
        }

        fn chooses(&self) -> bool {
            self.chosen.chooses()
        }

        fn is_watched(&self, check: AssertionId) -> bool {
            !self.failing.borrow().contains(&check)
        }

        fn goes_on(&self, check: AssertionId, value: Option<bool>) -> bool {
            if value != Some(true) {
                self.failing.borrow_mut().insert(check);
            }
            true
        }
    }
    struct Unobserved;
    impl Observer for Unobserved {}
    let constants = constants(program);
    let until = clock::now() + CHECKING_TIME;
    let mut failing = BTreeSet::new();
    let seeds = (20..).flat_map(|seed| [Choice::Small(seed), Choice::Ascending(seed), Choice::Favourite(seed)]);
    let random = seeds.take(MOST_CHECKING_RUNS);
    let mut count = 0;
    for choice in PLAIN.into_iter().chain(ODD).chain(random) {
        if count > ENOUGH_CHECKING_RUNS || clock::now() >= until {
            break;
        }
        let chosen = Chosen::new(program, choice, &constants);
        let mut values = Checking { chosen, failing: RefCell::new(failing) };
        let limits = Limits { steps: CHECKING_STEPS, deadline: Some(until), ..LIMITS };
        let run = interpreter::run(program, &mut values, &mut Unobserved, &limits);
        // Most inputs may be such that the program says nothing about them.
        count += usize::from(run.outcome != Outcome::AssumptionFailed);
        failing = values.failing.into_inner();
        if run.determined {
            break;
        }
    }
    failing
}

/// Counts the tests of loops, and records the path of the run.
struct Counter<'p> {
    since_reached: HashMap<SiteId, u64>,
    most: u64,
    trail: Trail<'p>,
}

impl Observer for Counter<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        self.trail.at(stmt, state);
        if let StmtKind::Loop(_) = stmt.kind {
            self.since_reached.insert(stmt.site, 0);
        }
    }

    fn test(&mut self, loop_stmt: &Stmt, _state: &State<'_, '_>) {
        let count = self.since_reached.entry(loop_stmt.site).or_default();
        *count += 1;
        self.most = self.most.max(*count);
    }

    fn tested(&mut self, stmt: &Stmt, holds: bool) {
        self.trail.tested(stmt, holds);
    }
}

/// The constants of the program that may matter for a test, and their neighbours.
pub(super) fn constants(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut visit = |s: &Stmt| {
        match &s.kind {
            StmtKind::If(c, ..) | StmtKind::Assume(c) | StmtKind::Assert(c, _) | StmtKind::Assign(_, c) => {
                constants_of(c, &mut found);
            }
            StmtKind::Loop(l) => constants_of(&l.condition, &mut found),
            _ => {}
        };
    };
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|b| each_stmt(b, &mut visit));
    found.iter().flat_map(|&n| [n - 1, n, n + 1]).collect::<BTreeSet<_>>().into_iter().collect()
}

fn constants_of(e: &Expr, found: &mut BTreeSet<i128>) {
    match &e.kind {
        ExprKind::Int(n) => {
            found.insert(*n);
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => constants_of(a, found),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            constants_of(a, found);
            constants_of(b, found);
        }
        ExprKind::Conditional(c, a, b) => {
            for part in [c, a, b] {
                constants_of(part, found);
            }
        }
        ExprKind::Float(_) | ExprKind::Load(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => {}
    }
}
