//! Repeats on the original program a run that fails according to CBMC. Inputs and arbitrary values
//! come from the trace, everything else from the interpreter. Only the result of the replay counts.

use super::observed::{Numbered, Observed};
use super::statements::statements;
use super::taken::Taken;
use super::trail::Trail;
use crate::cbmc::{Emitted, Trace, TraceValue};
use crate::clock;
use crate::interpreter::{self, CellOrigin, Environment, Limit, Limits, ObjectOrigin, Observer, Outcome, Run};
use crate::program::{
    AssertionId, CheckCondition, InputId, Location, ObligationKey, Program, SiteId, Step, Type, VarId, has_check,
};
use crate::verdict::{Counterexample, Reason, Unconfirmed};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

/// What a replay shows.
pub(super) enum Replayed {
    /// The run fails at this obligation.
    Fails(ObligationKey, Counterexample),
    /// The run does not fail, as far as can be seen.
    Not {
        /// Why the replay gives no verdict.
        reason: Reason,
        /// The run read a heap block that nothing had written, and the trace does not say what it
        /// held.
        wants_heap: bool,
    },
}

/// The limits of a replay. It is short, since a trace has few unwindings.
const LIMITS: Limits = Limits { steps: 20_000_000, cells: 1 << 24, depth: 10_000, ..Limits::NONE };
/// The time that a replay may take beyond the stage's deadline, so that a trace found at the last
/// moment still counts.
const SLACK: Duration = Duration::from_millis(200);
/// Runs the program with the values of a trace in which `about` fails according to CBMC. `asked`
/// tells at which obligations a run may fail.
pub(super) fn replay(
    program: &Program,
    emitted: &Emitted,
    trace: &Trace,
    deadline: Instant,
    about: ObligationKey,
    asked: impl Fn(ObligationKey) -> bool,
) -> Replayed {
    replay_observed(program, Observed::new(trace, emitted), deadline, about, asked)
}

/// Runs a program with the values of a trace under observation. Returns how the run ends.
pub(super) fn follow(program: &Program, observed: Observed, deadline: Instant, watch: &mut impl Observer) -> Outcome {
    let goes_on = |_, _| false;
    let mut values = Values::new(program, observed, &goes_on);
    let limits = Limits { deadline: Some(deadline.max(clock::now() + SLACK)), ..LIMITS };
    interpreter::run(program, &mut values, watch, &limits).outcome
}

/// Does the work of [`replay`], given the observed values.
pub(super) fn replay_observed(
    program: &Program,
    observed: Observed,
    deadline: Instant,
    about: ObligationKey,
    asked: impl Fn(ObligationKey) -> bool,
) -> Replayed {
    let goes_on = |check, value: Option<bool>| match value {
        None => check != about,
        Some(_) => !asked(check),
    };
    let is_read = |condition: &CheckCondition<'_>| matches!(condition, CheckCondition::Written { .. });
    // Runs that are to fail elsewhere go on with any value.
    let unset_ends = matches!(about, ObligationKey::Check(site, number) if has_check(program, site, number, is_read));
    let again = observed.clone();
    let mut values = Values::new(program, observed, &goes_on);
    let limits = Limits { deadline: Some(deadline.max(clock::now() + SLACK)), unset_ends, ..LIMITS };
    let mut trail = Trail::new(program);
    let run = interpreter::run(program, &mut values, &mut trail, &limits);
    match judge(&run, &asked) {
        Ok(failed) => {
            let statements = statements(program, &mut Values::new(program, again, &goes_on), &run, &limits);
            Replayed::Fails(failed, values.taken.counterexample(run.steps, trail, statements))
        }
        Err(why) => Replayed::Not { reason: Reason::Unconfirmed { only: false, why }, wants_heap: values.wants_heap },
    }
}

/// The obligation at which a run fails, among those that were asked about.
///
/// # Errors
/// What the run does instead.
pub(super) fn judge(run: &Run, asked: impl Fn(ObligationKey) -> bool) -> Result<ObligationKey, Unconfirmed> {
    let failed = match run.outcome {
        Outcome::AssertionFailed(id) => ObligationKey::Assertion(id),
        Outcome::Undefined { key, .. } if asked(key) => key,
        Outcome::Undefined { kind, location, .. } => {
            return Err(Unconfirmed::Undefined(kind.to_string(), location));
        }
        Outcome::Unsupported { reason, location } => {
            return Err(Unconfirmed::Unsupported(reason.to_string(), location));
        }
        Outcome::LimitReached(limit) => {
            return Err(match limit {
                Limit::Steps => Unconfirmed::TooMuch("steps"),
                Limit::Memory => Unconfirmed::TooMuch("memory"),
                Limit::Depth => Unconfirmed::TooMuch("calls"),
                Limit::Time => Unconfirmed::Late,
                Limit::Outside => Unconfirmed::Outside,
            });
        }
        Outcome::Excluded { assumption, location } => {
            return Err(Unconfirmed::Breaks(assumption.to_string(), location));
        }
        Outcome::AssumptionFailed => return Err(Unconfirmed::Ends(run.last.map(|(_, at)| at))),
        Outcome::Finished | Outcome::Stopped => return Err(Unconfirmed::Passes),
    };
    if run.havocs > 0 {
        // The values were made up: it is unknown whether the code can really leave them.
        return Err(Unconfirmed::Unknown);
    }
    Ok(failed)
}

/// The values of a trace, in the order in which the interpreter asks for them.
struct Values<'p> {
    program: &'p Program,
    inputs: HashMap<InputId, VecDeque<TraceValue>>,
    numbered: BTreeMap<InputId, Numbered>,
    /// The number of executions of each numbered input so far.
    executed: HashMap<InputId, u64>,
    /// For each variable, one value per execution of its declaration.
    initial: HashMap<VarId, Vec<TraceValue>>,
    /// For each allocation, one list per execution.
    blocks: HashMap<SiteId, Vec<Vec<TraceValue>>>,
    taken: Taken<'p>,
    wants_heap: bool,
    goes_on: &'p dyn Fn(ObligationKey, Option<bool>) -> bool,
}

impl<'p> Values<'p> {
    fn new(
        program: &'p Program,
        observed: Observed,
        goes_on: &'p dyn Fn(ObligationKey, Option<bool>) -> bool,
    ) -> Values<'p> {
        let mut values = Values {
            program,
            inputs: HashMap::new(),
            numbered: observed.numbered,
            executed: HashMap::new(),
            initial: HashMap::new(),
            blocks: HashMap::new(),
            taken: Taken::new(program),
            wants_heap: false,
            goes_on,
        };
        for (id, value) in observed.inputs {
            values.inputs.entry(id).or_default().push_back(value);
        }
        for (variable, value) in observed.initial {
            values.initial.entry(variable).or_default().push(value);
        }
        for (site, cells) in observed.blocks {
            values.blocks.entry(site).or_default().push(cells);
        }
        values
    }

    /// The value of a scalar; 0 if the trace does not give it.
    fn value(&self, value: Option<&TraceValue>, ty: &Type) -> i128 {
        match (value, ty) {
            (Some(&TraceValue::Bits(bits)), Type::Int(kind)) => {
                // A value wider than any integer type is not one of this type.
                i128::try_from(bits).map_or(0, |bits| kind.wrap(bits, self.program.data_model))
            }
            _ => 0,
        }
    }
}

impl Environment for Values<'_> {
    fn input(&mut self, input: InputId, ty: &Type, at: Location) -> i128 {
        let mut value = self.inputs.get_mut(&input).and_then(VecDeque::pop_front);
        if let (None, Some(numbered)) = (&value, self.numbered.get(&input)) {
            let executed = self.executed.entry(input).or_insert(0);
            value = numbered.at.get(executed).or(numbered.others.as_ref()).cloned();
            *executed += 1;
        }
        let value = self.value(value.as_ref(), ty);
        self.taken.input(input, at, value)
    }

    fn arbitrary(&mut self, origin: &CellOrigin<'_>, ty: &Type) -> i128 {
        // An object that is never declared begins once, at the start of the run.
        let nth = |execution: u64| usize::try_from(execution.saturating_sub(1)).ok();
        let found = match origin.object {
            ObjectOrigin::Variable { variable, execution } => {
                let object = self.initial.get(&variable).and_then(|all| all.get(nth(execution)?));
                object.and_then(|o| part(self.program, o, origin))
            }
            ObjectOrigin::Heap { site, execution } => {
                let block = self.blocks.get(&site).and_then(|all| all.get(nth(execution)?));
                let cell = block.and_then(|cells| cells.get(usize::try_from(origin.leaf).ok()?));
                self.wants_heap |= cell.is_none();
                cell
            }
            ObjectOrigin::Outside => None,
        };
        let value = self.value(found, ty);
        self.taken.arbitrary(origin, ty, value)
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }

    /// A `check` that fails does not hide a failure after it, nor does a `check` whose value is
    /// unknown.
    fn goes_on(&self, check: AssertionId, value: Option<bool>) -> bool {
        (self.goes_on)(ObligationKey::Assertion(check), value)
    }
}

/// The part of an object's value that belongs to a cell.
fn part<'v>(program: &Program, object: &'v TraceValue, origin: &CellOrigin<'_>) -> Option<&'v TraceValue> {
    let mut value = object;
    for element in interpreter::path_of_leaf(program, origin.object_type, origin.leaf) {
        value = match (element, value) {
            (Step::Index(i), TraceValue::Array(elements)) => elements.get(&i)?,
            (Step::Field(id, field), TraceValue::Struct(members)) => {
                members.get(&program.structure(id).members.get(field as usize)?.name)?
            }
            _ => return None,
        };
    }
    Some(value)
}
