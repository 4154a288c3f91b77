//! The turns of the stages. Cheap turns come first, and turns that cannot change an answer are left
//! out.

use super::arrivals::Arrivals;
use super::board::Board;
use super::closed::Runs;
use super::config::{CheckConfig, numeric_stacks, principal};
use super::query::Checker;
use super::{bounded, closed, domains, induction, prune, refine, shrink, slice, summary, unwind};
use crate::analysis::{self, AnalysisConfig};
use crate::cbmc::ModelChecker;
use crate::clock;
use crate::program::{Obligation, ObligationKind, Program};
use crate::reduce::normal::Inlined;
use crate::smt::Solver;
use crate::verdict::{Late, Reason, Stage};
use std::cell::{LazyCell, OnceCell};
use std::time::{Duration, Instant};

/// One turn of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    OnlyRun,
    NativeStacks,
    Summary,
    Induction,
    SmallSizes,
    OtherStacks,
    LargeSizes,
    Slice,
    Shrink,
    Prune,
    Refine,
    Unwind,
}

/// The strategy: cheapest first. For programs without annotations, `Induction` and `SmallSizes` are
/// exchanged.
const TURNS: [Turn; 12] = [
    Turn::OnlyRun,
    Turn::NativeStacks,
    Turn::Summary,
    Turn::Induction,
    Turn::SmallSizes,
    Turn::Prune,
    Turn::Shrink,
    Turn::OtherStacks,
    Turn::LargeSizes,
    Turn::Slice,
    Turn::Refine,
    Turn::Unwind,
];

/// The share of the time after the last decision for which stages go on if only operations of the
/// program are open. Nearly all operations that are ever decided are decided soon, by the domains
/// or by small sizes. A larger program always has some that are never decided.
const PATIENCE: f64 = 0.4;

/// The time in which there is a share for a few runs, even if nothing was decided for long. They
/// refute what no proof is for.
const FOR_RUNS: Duration = Duration::from_secs(1);

impl Turn {
    fn stage(self) -> Stage {
        match self {
            Turn::OnlyRun => Stage::Run,
            Turn::NativeStacks | Turn::OtherStacks => Stage::Domains,
            Turn::Summary => Stage::Summary,
            Turn::Induction => Stage::Induction,
            Turn::SmallSizes | Turn::LargeSizes => Stage::Bounded,
            Turn::Slice => Stage::Slice,
            Turn::Shrink => Stage::Shrink,
            Turn::Prune => Stage::Prune,
            Turn::Refine => Stage::Refine,
            Turn::Unwind => Stage::Unwind,
        }
    }

    /// Whether it may decide obligations of that kind. Those about pointees are decided by runs, by
    /// the value analysis and by the model checker.
    fn decides(self, kind: ObligationKind) -> bool {
        match self {
            Turn::OnlyRun | Turn::NativeStacks | Turn::SmallSizes | Turn::LargeSizes | Turn::Unwind => true,
            _ => !kind.is_about_pointees(),
        }
    }

    /// The share of the remaining time that the turn may use while other turns follow. Most
    /// programs need far less.
    fn share(self) -> f64 {
        match self {
            Turn::OnlyRun => 0.3,
            Turn::NativeStacks => 0.5,
            Turn::Summary => 0.3,
            Turn::Induction => 0.5,
            Turn::SmallSizes => 0.3,
            Turn::OtherStacks => 0.4,
            Turn::LargeSizes => 0.5,
            Turn::Slice => 0.5,
            Turn::Shrink => 0.4,
            Turn::Prune => 0.3,
            Turn::Refine => 0.4,
            Turn::Unwind => 1.0,
        }
    }

    /// Whether there is anything to do.
    fn is_wanted(self, config: &CheckConfig) -> bool {
        config.stages.contains(&self.stage())
            && (!matches!(self, Turn::OtherStacks)
                || config.stacks.len() > config.analysis.registry.native_first(&config.stacks))
    }
}

/// The data that the turns work with, and the results that they pass on.
pub(super) struct Work<'w> {
    program: &'w Program,
    config: &'w CheckConfig,
    pub(super) checker: Checker<'w>,
    solver: &'w Result<&'w dyn Solver, String>,
    pub(super) stacks: domains::Run<'w>,
    sizes: bounded::SizeSearch<'w>,
    inlined: LazyCell<Inlined, Box<dyn FnOnce() -> Inlined + 'w>>,
    arrivals: Arrivals<'w>,
    runs: Runs,
    /// The domains that are asked about programs without arrays.
    numeric: Vec<AnalysisConfig>,
    /// The domains that describe the states in which iterations begin.
    domains: Option<AnalysisConfig>,
}

impl<'w> Work<'w> {
    /// `resolved` is where the program without calls through pointers is kept.
    pub(super) fn new(
        program: &'w Program,
        resolved: &'w OnceCell<Program>,
        config: &'w CheckConfig,
        model: Result<&'w dyn ModelChecker, String>,
        solver: &'w Result<&'w dyn Solver, String>,
    ) -> Work<'w> {
        let checker = Checker::new(program, model);
        let stack = principal(&config.stacks, &config.analysis.registry).cloned();
        Work {
            program,
            config,
            solver,
            stacks: domains::Run::new(program, resolved, config),
            sizes: bounded::SizeSearch::new(program, &checker),
            checker,
            inlined: LazyCell::new(Box::new(|| Inlined::new(program))),
            arrivals: Arrivals::new(program),
            runs: Runs::Several,
            numeric: numeric_stacks(&config.stacks, &config.analysis),
            domains: config.assume_invariants.then(|| AnalysisConfig { stack, ..config.analysis.clone() }),
        }
    }

    /// Gives each turn its share of the time. Stops when nothing is open, or when only operations
    /// are open and none was decided for a long time.
    pub(super) fn turns(&mut self, board: &mut Board<'_>) -> Result<(), analysis::Error> {
        let patience = self.config.deadline.saturating_duration_since(clock::now()).mul_f64(PATIENCE);
        // Annotations are half of an inductive proof. Without them, the search is longer, and small
        // sizes may refute what is searched for in vain.
        let exchanged = |turn: Turn| match turn {
            Turn::Induction => Turn::SmallSizes,
            Turn::SmallSizes => Turn::Induction,
            turn => turn,
        };
        let order = if induction::is_annotated(self.program) { TURNS } else { TURNS.map(exchanged) };
        let turns: Vec<Turn> = order.into_iter().filter(|turn| turn.is_wanted(self.config)).collect();
        for (n, turn) in turns.iter().enumerate() {
            let open = board.all_open();
            if open.is_empty() {
                break;
            }
            if !open.iter().any(|o| turn.decides(o.kind)) {
                board.begin(turn.stage());
                board.leave_unless_told(&open, &Reason::NotItsKind);
                continue;
            }
            let part = if n + 1 == turns.len() { 1.0 } else { turn.share() };
            let begin = clock::now();
            let until = match board.only_checks_are_open() && !matches!(turn, Turn::OnlyRun | Turn::NativeStacks) {
                true => self.config.deadline.min(board.last + patience),
                false => self.config.deadline,
            };
            let until = match turn {
                Turn::SmallSizes => until.max(self.config.deadline.min(begin + FOR_RUNS)),
                _ => until,
            };
            let left = until.saturating_duration_since(begin);
            board.begin(turn.stage());
            if left.is_zero() && begin < self.config.deadline {
                board.leave_unless_told(&open, &Reason::GivenBack);
                continue;
            }
            if left.is_zero() {
                board.leave_unless_told(&open, &Reason::Time(Late::Unbegun));
                continue;
            }
            self.turn(*turn, begin + left.mul_f64(part), board)?;
            let others: Vec<Obligation> = board.all_open().into_iter().filter(|o| !turn.decides(o.kind)).collect();
            board.leave_unless_told(&others, &Reason::NotItsKind);
            let (decided, time) = (open.len() - board.all_open().len(), (clock::now() - begin).as_millis());
            log::info!("{turn:?} decided {decided} of {} obligations in {time} ms", open.len());
            if self.runs == Runs::Known {
                break;
            }
            if *turn == Turn::OnlyRun && turns.len() == 1 {
                board.leave_unless_told(&board.all_open(), &Reason::SeveralRuns);
            }
        }
        Ok(())
    }

    fn turn(&mut self, turn: Turn, deadline: Instant, board: &mut Board<'_>) -> Result<(), analysis::Error> {
        let Work { program, checker, arrivals, .. } = self;
        // Domains that were wrong about a program are not used for programs derived from it.
        let (domains, numeric) = match self.stacks.trusted {
            true => (self.domains.as_ref(), &self.numeric[..]),
            false => (None, &[][..]),
        };
        match turn {
            Turn::OnlyRun => {
                let notes_blocks = self.config.checks.contains(&ObligationKind::Lifetime);
                self.runs = closed::run(program, notes_blocks, deadline, board);
            }
            // The only failure has been found.
            Turn::SmallSizes | Turn::LargeSizes if self.runs == Runs::OneFails => {
                board.leave_unless_told(&board.all_open(), &Reason::FailsElsewhere);
            }
            Turn::NativeStacks => {
                self.stacks.first(checker, arrivals, deadline, board)?;
                self.resolve();
            }
            Turn::OtherStacks => self.stacks.others(checker, arrivals, deadline, board)?,
            Turn::Summary => summary::run(program, &self.inlined, self.solver, arrivals, deadline, board),
            Turn::Induction => {
                induction::run(program, &self.inlined, self.solver, self.config.explains, arrivals, deadline, board);
            }
            Turn::SmallSizes => self.sizes.small(checker, deadline, board),
            Turn::LargeSizes => self.sizes.large(checker, deadline, board),
            Turn::Slice => slice::run(program, checker, arrivals, deadline, board),
            Turn::Shrink => shrink::run(program, &self.inlined, checker, domains, arrivals, deadline, board),
            Turn::Prune => prune::run(&self.inlined, checker, arrivals, deadline, board),
            Turn::Refine => {
                refine::run(program, &self.inlined, checker, self.solver, numeric, arrivals, deadline, board);
            }
            Turn::Unwind => unwind::run(program, checker, arrivals, deadline, board),
        }
        Ok(())
    }

    /// Goes on with the program that has no calls through pointers, if the value analysis knows
    /// where they lead. Failing runs are still repeated on the original one.
    fn resolve(&mut self) {
        let program = self.stacks.program;
        if !std::ptr::eq(program, self.program) {
            self.program = program;
            self.sizes = bounded::SizeSearch::new(program, &self.checker);
            self.inlined = LazyCell::new(Box::new(|| Inlined::new(program)));
        }
    }
}
