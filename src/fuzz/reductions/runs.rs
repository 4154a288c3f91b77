//! Runs of a program with small inputs: all of them if they are few, otherwise some.

use super::super::Random;
use super::Sample;
use crate::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
use crate::program::{InputId, Location, Program, Type};

/// The result of runs of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleOutcome {
    /// Some run fails.
    Fails,
    /// No run fails whose inputs are among the sample's smallest values, and all such runs were
    /// tried.
    AllPass,
    /// None of the runs that were tried fails.
    SomePass,
}

impl SampleOutcome {
    /// Searches for a failing run among about this many.
    pub fn run(program: &Program, sample: &Sample, seed: u64, runs: u32) -> SampleOutcome {
        let few: Vec<i128> = sample.values.iter().copied().filter(|v| v.abs() <= 3).collect();
        let mut all = Inputs { sample, choice: Choice::InTurn { few, digits: Vec::new() }, at: 0 };
        for turn in 0..runs {
            if fails(program, &mut all) {
                return SampleOutcome::Fails;
            }
            if !all.next() {
                return SampleOutcome::AllPass;
            }
            // A run with too many inputs has too many variants.
            if turn == 0 && all.too_many(runs) {
                break;
            }
        }
        for n in 0..runs {
            if fails(program, &mut Inputs::random(sample, seed, n)) {
                return SampleOutcome::Fails;
            }
        }
        SampleOutcome::SomePass
    }
}

fn fails(program: &Program, inputs: &mut Inputs<'_>) -> bool {
    inputs.at = 0;
    let limits = Limits { steps: 20_000, cells: 1 << 16, depth: 10, ..Limits::NONE };
    matches!(interpreter::run(program, inputs, &mut (), &limits).outcome, Outcome::AssertionFailed(_))
}

/// The source of inputs.
pub(in crate::fuzz) struct Inputs<'s> {
    sample: &'s Sample,
    choice: Choice,
    /// The number of inputs in this run so far.
    at: usize,
}

enum Choice {
    /// For each input of this run, the index of its value in the list of possible values, and the
    /// length of that list.
    InTurn { few: Vec<i128>, digits: Vec<(usize, usize)> },
    /// In some runs, most cells are equal.
    Random { random: Random, mode: u32, usual: i128 },
    /// The index of the cell or the input, multiplied and shifted: sorted in one direction or the
    /// other.
    Ramp { step: i128, first: i128 },
}

impl<'s> Inputs<'s> {
    /// Inputs that are likely to make the program fail, different for each number.
    pub(in crate::fuzz) fn random(sample: &'s Sample, seed: u64, number: u32) -> Inputs<'s> {
        let mut random = Random::new(seed ^ (u64::from(number) << 32));
        if number % 8 == 6 {
            let step = *random.pick(&[1, 1, -1, -1, 2, -2, 3]);
            let first = if random.one_in(2) { 0 } else { random.below(7) as i128 - 3 };
            return Inputs { sample, choice: Choice::Ramp { step, first }, at: 0 };
        }
        Inputs { sample, choice: Choice::Random { random, mode: number % 6, usual: 0 }, at: 0 }
    }

    /// Switches to the inputs of the next run. `false` if there are no more.
    fn next(&mut self) -> bool {
        let Choice::InTurn { digits, .. } = &mut self.choice else { return false };
        digits.truncate(self.at);
        while let Some((digit, of)) = digits.pop() {
            if digit + 1 < of {
                digits.push((digit + 1, of));
                return true;
            }
        }
        false
    }

    fn too_many(&self, runs: u32) -> bool {
        let Choice::InTurn { few, .. } = &self.choice else { return true };
        let most = if self.sample.sized { self.sample.most + 1 } else { 0 };
        let cells = i128::from(u32::try_from(self.at).unwrap_or(u32::MAX)).saturating_add(most);
        let all = (few.len() as f64).powf(cells as f64);
        all > f64::from(runs)
    }

    /// `number` is the index of the cell in its object.
    fn value(&mut self, is_size: bool, number: Option<u64>) -> i128 {
        let n = self.at;
        self.at += 1;
        let most = self.sample.most;
        match &mut self.choice {
            Choice::InTurn { few, digits } => {
                if n == digits.len() {
                    digits.push((0, if is_size { usize::try_from(most + 1).unwrap_or(1) } else { few.len() }));
                }
                let digit = digits[n].0;
                if is_size { digit as i128 } else { few[digit] }
            }
            Choice::Ramp { .. } if is_size => most,
            Choice::Ramp { step, first } => *first + *step * number.map_or(n as i128, i128::from).min(1 << 20),
            Choice::Random { random, mode, usual } => {
                if is_size {
                    // Small sizes together are as likely as all others.
                    let limit = if random.one_in(2) { most.min(5) } else { most };
                    return random.below(usize::try_from(limit + 1).unwrap_or(1)) as i128;
                }
                let values = &self.sample.values;
                let small: Vec<i128> = values.iter().copied().filter(|v| v.abs() < 12).collect();
                match *mode {
                    0 => *random.pick(values),
                    1 | 2 => {
                        if random.one_in(12) {
                            *usual = *random.pick(&small);
                        }
                        if random.one_in(12) { *random.pick(values) } else { *usual }
                    }
                    3 => random.below(2) as i128,
                    _ => *random.pick(&small),
                }
            }
        }
    }
}

impl Environment for Inputs<'_> {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        let is_size = self.sample.sized && self.at == 0;
        self.value(is_size, None)
    }

    fn arbitrary(&mut self, cell: &CellOrigin<'_>, _: &Type) -> i128 {
        self.value(false, Some(cell.leaf))
    }

    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        self.value(false, None)
    }
}
