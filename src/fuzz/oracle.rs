//! The soundness oracle: runs of a program held against what the analyser says of it.

use crate::analysis::{self, AnalysisConfig, Checked, HeldInvariants, Names};
use crate::inline::inline;
use crate::interpreter::{self, CellOrigin, Environment, Limits, ObjectOrigin, Outcome};
use crate::program::{InputId, Location, ObligationKey, ObligationKind, Program, Type, obligations};
use crate::verdict::Verdict;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// All kinds of obligations.
pub(super) const KINDS: [ObligationKind; 4] =
    [ObligationKind::Assertion, ObligationKind::Bounds, ObligationKind::Overflow, ObligationKind::Division];

/// What a check of one program looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looked {
    /// Runs to their end.
    pub runs: u32,
    /// Obligations that were proved.
    pub proved: u32,
    /// Obligations that were refuted.
    pub violated: u32,
    /// All obligations.
    pub obligations: u32,
    /// The result did not pass its own check, and was given up: sound, but a bug unless an inclusion test is known to be incomplete.
    pub unverified: bool,
}

/// Holds `runs` runs of a program against the abstract states and the proofs of a stack.
///
/// # Errors
/// The description of a soundness bug: a state outside the abstract state, or a run that fails where none should.
pub fn check(program: &Program, config: &AnalysisConfig, seed: u64, runs: u32) -> Result<Looked, String> {
    let all = obligations(program, &KINDS);
    let analysis = analysis::analyse(program, &all, config).map_err(|e| e.to_string())?;
    let holds = |key: &ObligationKey| {
        analysis.findings.get(key).is_some_and(|f| matches!(f.verdict, Verdict::Proved | Verdict::Unreachable))
    };
    let mut looked = Looked {
        obligations: all.len() as u32,
        unverified: analysis.notes.iter().any(|n| n == analysis::UNVERIFIED),
        proved: all.iter().filter(|o| holds(&o.key)).count() as u32,
        ..Looked::default()
    };
    let inlined = inline(program);
    let checked = Checked::new(&inlined, config).map_err(|e| e.to_string())?;
    let limits = Limits { steps: 200_000, cells: 1 << 20, depth: 200, deadline: None };
    for n in 0..runs {
        let mut environment = Random::new(seed, n);
        let mut membership = checked.watch(4_000);
        interpreter::run(&inlined.program, &mut environment, &mut membership, &limits);
        if let Some(violation) = membership.violation {
            return Err(format!("run {n}: {violation}"));
        }
        looked.runs += 1;
        // The same run on the program itself, whose obligations are those that were decided.
        let run = interpreter::run(program, &mut Random::new(seed, n), &mut (), &limits);
        match run.outcome {
            Outcome::AssertionFailed(id) if holds(&ObligationKey::Assertion(id)) => {
                let a = program.assertion(id);
                let at = program.sources.describe(a.location);
                return Err(format!("run {n}: {at}: `{}` fails, and was proved", a.condition));
            }
            Outcome::Undefined { key, kind, location } if holds(&key) => {
                let at = program.sources.describe(location);
                return Err(format!("run {n}: {at}: {kind} fails, and was proved"));
            }
            _ => {}
        }
    }
    Ok(looked)
}

/// What a check of the invariants of one program looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct LookedAtFormulas {
    /// Formulas that were found.
    pub formulas: usize,
    /// Of these, formulas about all cells in a range.
    pub ranges: usize,
    /// How many times a formula was held against a state.
    pub looked: u64,
}

/// Holds `runs` runs of a program against the formulas that `smalti invariants` prints.
///
/// # Errors
/// A formula that does not hold in a run, or the stack that cannot be had.
pub fn check_invariants(
    program: &Program,
    config: &AnalysisConfig,
    seed: u64,
    runs: u32,
) -> Result<LookedAtFormulas, String> {
    let inlined = inline(program);
    let limits = Limits { steps: 200_000, cells: 1 << 20, depth: 200, deadline: None };
    let mut looked = LookedAtFormulas::default();
    for names in [Names::Reader, Names::Annotation] {
        let held = HeldInvariants::new(program, &inlined, config, names).map_err(|e| e.to_string())?;
        looked.formulas += held.formulas();
        looked.ranges += held.ranges();
        for n in 0..runs {
            let mut watch = held.watch(2_000);
            interpreter::run(&inlined.program, &mut Random::new(seed, n), &mut watch, &limits);
            looked.looked += watch.looked;
            if let Some(violation) = watch.violation {
                return Err(format!("run {n}: {violation}"));
            }
        }
    }
    Ok(looked)
}

/// Values that depend only on the run's number and on what is asked for, so that two runs of the same number agree.
pub(super) struct Random {
    seed: u64,
    run: u32,
    asked: HashMap<InputId, u64>,
    havocs: u64,
}

impl Random {
    pub(super) fn new(seed: u64, run: u32) -> Self {
        Random { seed, run, asked: HashMap::new(), havocs: 0 }
    }

    fn value(&self, what: impl Hash) -> i128 {
        let mut hasher = DefaultHasher::new();
        (self.seed, self.run, what).hash(&mut hasher);
        let bits = hasher.finish();
        // Small numbers reach more of a program than large ones; the ends of types matter too.
        let small = i128::from(bits >> 8) % 12 - 3;
        match (self.run % 4, bits % 8) {
            (0, _) | (_, 0..=4) => small.max(if self.run.is_multiple_of(2) { 0 } else { -3 }),
            (_, 5) => [i32::MAX.into(), i32::MIN.into(), 255, 256, -128, u32::MAX.into(), i64::MAX.into(), 65535]
                [(bits >> 8) as usize % 8],
            _ => i128::from(bits >> 8),
        }
    }
}

impl Environment for Random {
    fn input(&mut self, id: InputId, _ty: &Type, _at: Location) -> i128 {
        let count = self.asked.entry(id).or_default();
        *count += 1;
        let count = *count;
        self.value((0u8, id, count))
    }

    fn arbitrary(&mut self, cell: &CellOrigin<'_>, _ty: &Type) -> i128 {
        // Copies of a variable made by inlining have numbers of their own, so the value may depend on the place alone.
        let execution = match cell.object {
            ObjectOrigin::Variable { .. } => 0,
            ObjectOrigin::Heap { execution, .. } => execution,
        };
        self.value((1u8, cell.location, execution, cell.leaf))
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        self.havocs += 1;
        self.value((2u8, self.havocs))
    }
}
