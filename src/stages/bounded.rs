//! The stage `bounded`: searches for failing runs with small sizes and few iterations. Nearly every
//! assertion that can fail fails there. A few concrete runs search for failures that need thousands
//! of iterations.

use super::board::{Board, QUESTIONS};
use super::config::LEAST;
use super::query::{Checker, Found, Question, Refusal};
use super::trial::{self, PLAIN};
use crate::cbmc::{Sizes, Tuning};
use crate::clock;
use crate::program::{ObligationKind, Program};
use crate::verdict::{Late, Reason};
use std::time::{Duration, Instant};

/// Sizes of arrays and numbers of iterations of loops. Loops get one more iteration, because some
/// run past the end of an array.
const SIZES: [u32; 10] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];
/// Up to this size the model checker comes first, because its counterexamples are the easiest to
/// read.
const SMALL: u32 = 8;
/// The share of the stage's remaining time that one query may use.
const SHARE: f64 = 0.5;
/// The time that the concrete runs may use.
const PLAIN_TIME: Duration = Duration::from_millis(500);
const FIRST_ODD_TIME: Duration = Duration::from_millis(300);
const ODD_TIME: Duration = Duration::from_millis(1500);

/// A search through growing sizes, in two turns. The past of objects comes last, and only with
/// small sizes: what is asked about it costs no other answer, and leaves time for proofs.
pub(super) struct SizeSearch<'p> {
    program: &'p Program,
    parts: [Part; QUESTIONS.len()],
}

/// What is asked together.
struct Part {
    /// One of the [`QUESTIONS`].
    question: Option<ObligationKind>,
    /// The largest size that was searched.
    reached: u32,
    tuning: Tuning,
    /// Why the model checker is not asked again.
    refusal: Option<Refusal>,
    /// The reason that the first turn gave for the obligations that it left open.
    said: Option<Reason>,
}

impl<'p> SizeSearch<'p> {
    pub(super) fn new(program: &'p Program, checker: &Checker<'_>) -> Self {
        let part = |question| Part { question, reached: 0, tuning: checker.tuning(), refusal: None, said: None };
        SizeSearch { program, parts: QUESTIONS.map(part) }
    }

    /// Makes a few concrete runs, then asks about sizes so small that the queries take almost no
    /// time.
    pub(super) fn small(&mut self, checker: &mut Checker<'_>, deadline: Instant, board: &mut Board<'_>) {
        board.working("a few runs");
        trial::run(self.program, &PLAIN, deadline, PLAIN_TIME, board);
        trial::run(self.program, &trial::odd(self.program), deadline, FIRST_ODD_TIME, board);
        let (small, _) = SIZES.split_at(SIZES.partition_point(|&s| s <= SMALL));
        self.sizes(small, QUESTIONS.len(), checker, deadline, board);
    }

    /// Makes more runs and asks about larger sizes.
    pub(super) fn large(&mut self, checker: &mut Checker<'_>, deadline: Instant, board: &mut Board<'_>) {
        board.working("a few more runs");
        trial::run(self.program, &[&PLAIN[..], &trial::odd(self.program)].concat(), deadline, ODD_TIME, board);
        let (_, large) = SIZES.split_at(SIZES.partition_point(|&s| s <= SMALL));
        self.sizes(large, 1, checker, deadline, board);
    }

    /// Asks about each of the sizes, for the first of the parts.
    fn sizes(
        &mut self,
        sizes: &[u32],
        parts: usize,
        checker: &mut Checker<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) {
        for part in self.parts.iter_mut().take(parts) {
            if part.refusal.is_none() {
                part.refusal = part.sizes(self.program, sizes, checker, deadline, board);
            }
            part.leave(board);
        }
    }
}

impl Part {
    /// Records the largest size that was searched.
    fn leave(&mut self, board: &mut Board<'_>) {
        let refusal = self.refusal.as_ref().map(|refusal| refusal.reason.clone());
        let reason = match (refusal, self.reached) {
            (Some(reason), 0) => reason,
            (None, 0) => Reason::Time(Late::Share),
            (refusal, size) => Reason::Searched { size, then: refusal.map(Box::new) },
        };
        if let Some(said) = &self.said {
            board.take_back(said, self.question);
        }
        board.leave_unless_told(&board.open_to(self.question), &reason);
        self.said = Some(reason);
    }

    /// Asks about each of the sizes. If it stops early for another reason than time or success,
    /// returns that reason.
    fn sizes(
        &mut self,
        program: &Program,
        sizes: &[u32],
        checker: &mut Checker<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Option<Refusal> {
        for &size in sizes {
            loop {
                let open = board.open_to(self.question);
                let left = deadline.saturating_duration_since(clock::now());
                if open.is_empty() || left < LEAST {
                    return None;
                }
                board.working(&format!("sizes up to {size}"));
                let question = Question {
                    unwinding_assertions: false,
                    sizes: Sizes::AtMost(u64::from(size)),
                    tuning: self.tuning,
                    // A loop with `size` iterations reaches its test once more. One further
                    // iteration is for loops that run once more than an array has cells.
                    ..Question::of_all_runs(program, &open, size + 2)
                };
                match checker.ask(&question, clock::now() + left.mul_f64(SHARE), board) {
                    Ok(Found { refuted, .. }) => {
                        self.reached = size;
                        // A failure hides failures after it, so the other obligations are asked
                        // about again.
                        if refuted == 0 {
                            break;
                        }
                    }
                    Err(why) if self.tuning == Tuning::Plain && why.may_be_tuned => self.tuning = Tuning::Functions,
                    Err(why) => return Some(why),
                }
            }
        }
        None
    }
}
