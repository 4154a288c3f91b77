//! The stage `bounded`: small sizes and few iterations first. Nearly every assertion that can fail fails there.

use super::board::Board;
use super::query::{Ask, Checker, Found};
use crate::cbmc::{Sizes, Tuning};
use std::time::{Duration, Instant};

/// Sizes of arrays, and how often loops run (one more, for those that run past the end of an array).
const SIZES: [u32; 10] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

/// Of what is left of the stage's time, what one query may use.
const SHARE: f64 = 0.5;

pub(super) fn run(checker: &mut Checker<'_>, deadline: Instant, board: &mut Board<'_>) {
    let mut tuning = checker.tuning();
    let mut reached = 0;
    for size in SIZES {
        loop {
            let open = board.open();
            let left = deadline.saturating_duration_since(Instant::now());
            if open.is_empty() {
                return;
            }
            if left < Duration::from_millis(50) {
                break;
            }
            board.working(&format!("sizes up to {size}"));
            let ask = Ask {
                obligations: &open,
                // A loop that runs `size` times comes to its test once more; one more for loops one longer than an array.
                unwind: size + 2,
                unwinding_assertions: false,
                sizes: Sizes::AtMost(u64::from(size)),
                tuning,
            };
            let answer = checker.ask(&ask, Instant::now() + left.mul_f64(SHARE), board);
            match answer {
                Ok(Found { refuted, .. }) => {
                    reached = size;
                    if refuted == 0 {
                        break;
                    }
                    // What failed hid what comes after it: ask about the rest again.
                }
                Err(why) => {
                    if tuning == Tuning::Plain && why.may_be_tuned {
                        tuning = Tuning::Functions;
                        continue;
                    }
                    let reason = if reached > 0 {
                        format!("no failing run with sizes up to {reached}; beyond, {}", why.reason)
                    } else {
                        why.reason
                    };
                    board.leave_unless_told(&open, &reason);
                    return;
                }
            }
        }
        if deadline.saturating_duration_since(Instant::now()) < Duration::from_millis(50) {
            break;
        }
    }
    let reason = if reached > 0 {
        format!("no failing run with sizes up to {reached}")
    } else {
        "its share of the time limit was too short for a first query".to_owned()
    };
    board.leave_unless_told(&board.open(), &reason);
}
