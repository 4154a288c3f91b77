//! The stage `slice`: follows the part of the program that matters for an obligation to the end of
//! its loops.
//!
//! A value slice comes first. Its proofs are proofs (see [`crate::reduce::slice`]). A failing run
//! of the slice is completed and run on the program. If it does not fail there, its choices are
//! replaced by the conditions that they stand for (Kumar 2019, section 11.1.3). In the end all
//! choices are conditions: that is the backward slice. Conditions of loops are kept from the start,
//! unless only a part of one is kept: CBMC finds no end of a loop whose condition is a free choice.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::config::LEAST;
use super::observed::Observed;
use super::query::{Checker, Judged, Question, tuning_for};
use super::replay::{self, Replayed};
use super::unwind::BOUNDS;
use crate::cbmc::Tuning;
use crate::clock;
use crate::program::{Obligation, Program};
use crate::reduce::dependence::{Dependence, NodeId};
use crate::reduce::slice::{Kind, Slice};
use crate::verdict::{Answer, Late, Reason};
use std::collections::BTreeSet;
use std::time::Instant;

/// The number of rounds in which choices become conditions before all of them do.
const ROUNDS: usize = 5;
/// The number of bounds that are tried before loop conditions that are kept in part are kept whole.
const PATIENCE: usize = 4;
/// The share of the program's statements that a slice may keep. A slice with nearly all of them is
/// as hard as the program itself, which a later stage asks about.
const WORTH: f64 = 0.9;

pub(super) fn run(
    program: &Program,
    checker: &mut Checker<'_>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let (uncalled, wanted): (Vec<_>, Vec<_>) = board.open().into_iter().partition(|o| checker.uncalled.contains(o.key));
    uncalled.iter().for_each(|o| board.leave(o.key, Reason::Uncalled));
    if wanted.is_empty() {
        return;
    }
    board.working("computing dependences");
    let graph = match Dependence::new(program) {
        Ok(graph) => graph,
        Err(why) => {
            let reason = Reason::from(why);
            wanted.iter().for_each(|o| board.leave(o.key, reason.clone()));
            return;
        }
    };
    let mut groups = groups(&graph, wanted, deadline, board);
    // Small slices are decided soon and leave their time to the others.
    groups.sort_by_key(|g| g.slice.statements);
    let mut left = groups.len();
    for group in groups {
        let time = deadline.saturating_duration_since(clock::now());
        if time < LEAST {
            group.members.iter().for_each(|o| board.leave(o.key, Reason::Time(Late::Share)));
            continue;
        }
        let share = (2.0 / left as f64).min(1.0);
        left -= 1;
        let mut search = SliceRefinement {
            program,
            graph: &graph,
            members: group.members,
            kind: Kind::Value,
            concrete: BTreeSet::new(),
            bound: 0,
            rounds: 0,
            deadline: clock::now() + time.mul_f64(share),
        };
        search.run(checker, arrivals, board);
    }
}

/// Obligations that share one slice, apart from their own statements.
struct Group {
    members: Vec<Obligation>,
    slice: Slice,
}

fn groups(graph: &Dependence<'_>, wanted: Vec<Obligation>, deadline: Instant, board: &mut Board<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for o in wanted {
        if clock::now() >= deadline {
            board.leave(o.key, Reason::Time(Late::Share));
            continue;
        }
        match Slice::new(graph, [&o], Kind::Value, &BTreeSet::new()) {
            Ok(slice) => match groups.iter_mut().find(|g| g.slice.is_same(&slice)) {
                Some(group) => group.members.push(o),
                None => groups.push(Group { members: vec![o], slice }),
            },
            Err(why) => board.leave(o.key, why.into()),
        }
    }
    groups
}

/// The work on one group.
struct SliceRefinement<'g, 'p> {
    program: &'p Program,
    graph: &'g Dependence<'p>,
    members: Vec<Obligation>,
    kind: Kind,
    /// Conditions that are kept and do not become choices.
    concrete: BTreeSet<NodeId>,
    /// The index of the next bound.
    bound: usize,
    rounds: usize,
    deadline: Instant,
}

/// How the work on one slice ends.
enum End {
    /// Nothing more is to be done.
    Done,
    /// The next slice is to be tried.
    Again,
}

impl SliceRefinement<'_, '_> {
    fn run(&mut self, checker: &mut Checker<'_>, arrivals: &mut Arrivals<'_>, board: &mut Board<'_>) {
        loop {
            self.members.retain(|o| board.is_open(o.key));
            if self.members.is_empty() {
                return;
            }
            let slice = match Slice::new(self.graph, &self.members, self.kind, &self.concrete) {
                Ok(slice) => slice,
                Err(why) => {
                    self.leave(board, &why.into());
                    return;
                }
            };
            if !slice.loops.is_empty() {
                let before = self.concrete.len();
                self.concrete.extend(&slice.loops);
                if self.concrete.len() > before {
                    continue;
                }
            }
            let (statements, of) = (slice.statements, slice.of);
            if statements as f64 > of as f64 * WORTH {
                let name = self.kind.name();
                let what = format!("the {name} slice keeps {statements} of {of} statements, too many to help");
                self.leave(board, &Reason::Refused { what, place: None });
                return;
            }
            match self.slice(&slice, checker, arrivals, board) {
                End::Done => return,
                End::Again => {
                    self.rounds += 1;
                    if self.rounds > ROUNDS {
                        self.kind = Kind::Backward;
                    }
                }
            }
        }
    }

    fn leave(&self, board: &mut Board<'_>, reason: &Reason) {
        self.members.iter().for_each(|o| board.leave(o.key, reason.clone()));
    }

    /// Asks about one slice with growing bounds.
    fn slice(
        &mut self,
        slice: &Slice,
        checker: &mut Checker<'_>,
        arrivals: &mut Arrivals<'_>,
        board: &mut Board<'_>,
    ) -> End {
        let name = format!("{} slice, {} of {} statements", self.kind.name(), slice.statements, slice.of);
        let mut tuning = tuning_for(&slice.program);
        let first = self.members.first().map_or("", |o| o.id.as_str()).to_owned();
        while let Some(&unwind) = BOUNDS.get(self.bound) {
            if self.deadline.saturating_duration_since(clock::now()) < LEAST {
                self.leave(board, &Reason::Time(Late::Share).of(&name));
                return End::Done;
            }
            board.working(&format!("{} slice for {first}, unwinding {unwind}", self.kind.name()));
            let question = Question { tuning, ..Question::of_all_runs(&slice.program, &self.members, unwind) };
            match checker.judge(&question, self.deadline, board) {
                Ok(judged) => {
                    let detail = format!("{name}, complete at unwinding {unwind}");
                    // Undefined operations that do not matter are not in the slice.
                    checker.settle(&question, &judged.holds, &detail, (arrivals, Need::NoDoubt), self.deadline, board);
                    if !judged.fails.is_empty() {
                        return self.failed(slice, &judged, board, &name);
                    }
                    if judged.complete || !judged.emitted.obstacles.is_empty() {
                        if let Some(obstacle) = judged.obstacles.first() {
                            self.leave_open(board, &Reason::Obstacle(obstacle.clone()).of(&name));
                        }
                        return End::Done;
                    }
                    self.bound += 1;
                    if self.bound > PATIENCE && !slice.bounded.is_empty() {
                        // The kept parts of the conditions do not end their loops soon.
                        self.concrete.extend(&slice.bounded);
                        return End::Again;
                    }
                }
                Err(why) if why.may_be_tuned && tuning == Tuning::Plain && clock::now() < self.deadline => {
                    tuning = Tuning::Functions;
                }
                Err(why) => {
                    self.leave(board, &why.reason.of(&name));
                    return End::Done;
                }
            }
        }
        let iterations = BOUNDS.last().copied().unwrap_or(0);
        self.leave(board, &Reason::Unwound { iterations, then: None }.of(&name));
        End::Done
    }

    fn leave_open(&self, board: &mut Board<'_>, reason: &Reason) {
        board.leave_unless_told(&self.members, reason);
    }

    /// Handles failing runs of the slice: either the program fails, too, or only the choices made
    /// them fail.
    fn failed(&mut self, slice: &Slice, judged: &Judged, board: &mut Board<'_>, name: &str) -> End {
        let mut chosen: BTreeSet<NodeId> = BTreeSet::new();
        for (key, trace) in &judged.fails {
            if !board.is_open(*key) {
                continue;
            }
            let replayed =
                replay::replay(self.program, &judged.emitted, trace, self.deadline, *key, |k| board.is_open(k));
            match replayed {
                Replayed::Fails(failed, counterexample) => {
                    board.answer(failed, Answer::Violated(format!("{name}, replayed"), counterexample));
                }
                Replayed::Not { reason, .. } => {
                    board.leave(*key, reason.of(name));
                    let inputs = Observed::new(trace, &judged.emitted).inputs;
                    chosen.extend(inputs.iter().filter_map(|(id, _)| slice.choices.get(id)));
                }
            }
        }
        if self.kind == Kind::Backward {
            return End::Done;
        }
        if chosen.is_empty() {
            self.kind = Kind::Backward;
        }
        self.concrete.extend(chosen);
        End::Again
    }
}
