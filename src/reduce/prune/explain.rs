//! Explains to people why a pruned program stands for a program.

use super::super::normal::{Counted, NormalPart};
use super::bound::Bound;
use super::model::{Model, ModelPart, Operand};
use super::patterns::Patterns;
use crate::program::{Location, Program, print};

/// The numbers that determine a pruned program, by their names in the thesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// δ_low: the least distance from an iteration to what it touches.
    pub low: i128,
    /// δ_high: the largest.
    pub high: i128,
    /// Θ: counters are moved by multiples of this.
    pub theta: i128,
    /// C: the bound on the iterations that last made the values of a failing run.
    pub assignments: u64,
    /// K^c: iterations up to here keep their places.
    pub kept: i128,
    /// Γ': the least bound.
    pub least: i128,
    /// Γ: the bound of the loop that ends last.
    pub gamma: i128,
    /// By how much Γ may be larger when the program runs, so that it is congruent to the loops'
    /// ends.
    pub slack: i128,
    /// The loops run to their own ends: Γ is not below them.
    pub complete: bool,
    /// The loops, in order.
    pub loops: Vec<LoopExplanation>,
}

/// The explanation of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopExplanation {
    /// Where it stands.
    pub location: Location,
    /// Its counter.
    pub counter: String,
    /// As the program writes it: `i < 100000`.
    pub condition: String,
    /// The counter of the last iteration of the pruned loop.
    pub last: i128,
    /// What it reads, with the distances of the cells that the value is made of.
    pub spans: Vec<(String, Span)>,
    /// The cells it writes, and how many of them count.
    pub instances: Vec<(String, u64)>,
    /// Its patterns over earlier iterations' values: minima, maxima, sums.
    pub patterns: Vec<String>,
}

/// The distances, from an iteration, of the cells that a value is made of; `None` if earlier
/// iterations hand it on.
pub type Span = Option<(i128, i128)>;

impl Explanation {
    /// δ
    pub fn delta(&self) -> i128 {
        self.high - self.low
    }

    /// Summarises the numbers.
    pub fn summary(&self) -> String {
        let plural = if self.assignments == 1 { "" } else { "s" };
        format!("Γ={}, {} last value assignment{plural}", self.gamma, self.assignments)
    }

    /// Gives the full explanation, as comment lines without their markers.
    pub fn lines(&self, program: &Program) -> Vec<String> {
        let mut lines = vec![
            format!("δ = {} (distances from {} to {}), Θ = {}", self.delta(), self.low, self.high, self.theta),
            format!("at most {} last value assignments (C)", self.assignments),
            format!("Γ = {} (Γ' = {}, K^c = {})", self.gamma, self.least, self.kept),
        ];
        if self.slack > 0 {
            lines.push(format!("up to {} more, so that the loops end as they would modulo Θ", self.slack));
        }
        if self.complete {
            lines.push("the loops end before that: they run in full".to_owned());
        }
        for l in &self.loops {
            let place = program.sources.describe(l.location);
            lines
                .push(format!("loop over `{}` ({place}): `{}`, pruned to end with {}", l.counter, l.condition, l.last));
            let spans = l.spans.iter().map(|(name, span)| match span {
                Some((low, high)) => format!("{name} [{low}, {high}]"),
                None => format!("{name} ∞"),
            });
            let spans: Vec<String> = spans.collect();
            if !spans.is_empty() {
                lines.push(format!("  spans: {}", spans.join("; ")));
            }
            let instances: Vec<String> = l.instances.iter().map(|(name, n)| format!("{name} × {n}")).collect();
            if !instances.is_empty() {
                lines.push(format!("  cells that count: {}", instances.join("; ")));
            }
            lines.extend(l.patterns.iter().map(|p| format!("  {p}")));
        }
        lines
    }
}

/// Names for the entities of a model.
pub(super) struct ModelNames<'a> {
    pub(super) program: &'a Program,
    pub(super) model: &'a Model,
    pub(super) parts: &'a [NormalPart],
}

impl ModelNames<'_> {
    pub(super) fn operand(&self, operand: Operand) -> String {
        let (path, index) = match operand {
            Operand::Scalar(s) => (&self.model.scalars[s], String::new()),
            Operand::Cell(a, c) => {
                let c = c * self.model.sign;
                let index = match c {
                    0 => "i".to_owned(),
                    c if c < 0 => format!("i - {}", -c),
                    c => format!("i + {c}"),
                };
                (&self.model.arrays[a], index)
            }
            Operand::Fixed(a, k) => (&self.model.arrays[a], (k * self.model.sign).to_string()),
        };
        print::path(self.program, path, |k| k.map_or_else(|| index.clone(), |k| k.to_string()))
    }
}

pub(super) fn explain(names: &ModelNames<'_>, patterns: &Patterns, bound: &Bound) -> Explanation {
    let (program, model) = (names.program, names.model);
    let mut loops = Vec::new();
    let mut n = 0;
    for (part, (given, looped)) in names.parts.iter().zip(&model.parts).enumerate() {
        let (NormalPart::Loop(given), ModelPart::Loop(l)) = (given, looped) else { continue };
        let with_counter = |name: String| name.replace("[i", &format!("[{}", counter(program, given)));
        let spans = bound.spans[n].iter().map(|(o, span)| (with_counter(names.operand(*o)), *span)).collect();
        let instances = bound.instances[n]
            .iter()
            .map(|((a, c), count)| (with_counter(names.operand(Operand::Cell(*a, *c))), *count))
            .collect();
        let mut recognised = Vec::new();
        for ((at, s), defs) in &patterns.extrema {
            if *at == part {
                let name = names.operand(Operand::Scalar(*s));
                let what = if defs.len() == 1 { "a minimum or maximum" } else { "a second minimum or maximum" };
                recognised.push(format!("{name} is {what}"));
            }
        }
        for (at, s) in &patterns.summed {
            if *at == part {
                recognised.push(format!("{} is a sum", names.operand(Operand::Scalar(*s))));
            }
        }
        loops.push(LoopExplanation {
            location: l.location,
            counter: counter(program, given),
            condition: format!(
                "{} {} {}",
                counter(program, given),
                given.relation.c_name(),
                print::expr(program, &given.bound)
            ),
            last: bound.end(l) * model.sign,
            spans,
            instances,
            patterns: recognised,
        });
        n += 1;
    }
    Explanation {
        low: bound.window.0,
        high: bound.window.1,
        theta: bound.theta,
        assignments: bound.assignments,
        kept: bound.kept,
        least: bound.least,
        gamma: bound.gamma,
        slack: bound.slack,
        complete: bound.complete,
        loops,
    }
}

fn counter(program: &Program, l: &Counted) -> String {
    program.variable(l.counter).shown().into_owned()
}
