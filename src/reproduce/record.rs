//! Repeats a failing run and records the values that it takes from outside.

use crate::interpreter::{self, CellOrigin, Environment, Limits, ObjectOrigin, Observer, Outcome, State, path_of_leaf};
use crate::program::{
    AssertionId, InputId, Location, Obligation, ObligationKey, ObligationKind, Program, SiteId, Step, Stmt, StmtKind,
    Type, VarId,
};
use crate::verdict::Counterexample;
use std::collections::BTreeMap;
use std::time::Instant;

/// What a failing run took from outside.
#[derive(Default)]
pub(super) struct Recording {
    /// What it is told while it runs, in order: its inputs, and what functions of the library find
    /// in texts.
    pub(super) told: Vec<Told>,
    /// How many of these are inputs.
    pub(super) inputs: usize,
    /// The arguments of `main`, with the name of the program.
    pub(super) arguments: Vec<Vec<u8>>,
    /// The variable of the environment that it asks for. It may be missing.
    pub(super) variable: Option<Option<Vec<u8>>>,
    /// The values of cells that were read before they were written: by object, then by the index of
    /// the cell.
    pub(super) objects: BTreeMap<ObjectOrigin, BTreeMap<u64, RecordedCell>>,
    /// How often each declaration was executed.
    pub(super) declared: BTreeMap<VarId, u64>,
    /// How often each allocation was executed.
    pub(super) allocated: BTreeMap<SiteId, u64>,
    /// The number of executions of the failing statement, including the failing one.
    pub(super) visits: u64,
}

/// A value that a run is told.
pub(super) struct Told {
    /// The place where it is told.
    pub(super) at: Location,
    /// The value.
    pub(super) value: i128,
}

/// A cell of an object.
#[derive(Clone, PartialEq)]
pub(super) struct RecordedCell {
    /// The access path from the object to the cell.
    pub(super) path: Vec<Step<u64>>,
    /// Its type, a scalar.
    pub(super) ty: Type,
    /// Its value.
    pub(super) value: i128,
}

/// Repeats the run. It must fail at the obligation.
pub(super) fn repeat(
    program: &Program,
    obligation: &Obligation,
    counterexample: &Counterexample,
    deadline: Option<Instant>,
) -> Result<Recording, String> {
    let Some(values) = &counterexample.values else {
        return Err("reads more values from outside than smalti keeps".to_owned());
    };
    let key = obligation.key;
    let texts = counterexample.texts.iter();
    let mut again =
        Again { program, key, values: values.iter().copied(), texts, recording: Recording::default(), broken: None };
    let mut watch = Watch { key, visits: 0, declared: BTreeMap::new(), allocated: BTreeMap::new() };
    let unset_ends = obligation.kind == ObligationKind::Initialised;
    let steps = counterexample.steps;
    let limits = Limits { steps, cells: 1 << 26, depth: 10_000, deadline, unset_ends, ..Limits::default() };
    let run = interpreter::run(program, &mut again, &mut watch, &limits);
    if let Some(why) = again.broken {
        return Err(why.to_owned());
    }
    let failed = match run.outcome {
        Outcome::AssertionFailed(id) => Some(ObligationKey::Assertion(id)),
        Outcome::Undefined { key, .. } => Some(key),
        Outcome::LimitReached(interpreter::Limit::Time) => return Err("was not repeated in time".to_owned()),
        _ => None,
    };
    if failed != Some(key) || run.havocs > 0 {
        return Err("takes another path when it is repeated".to_owned());
    }
    let Watch { visits, declared, allocated, .. } = watch;
    Ok(Recording { visits, declared, allocated, ..again.recording })
}

/// Says why a run cannot be written.
const READS_MORE: &str = "reads more values when it is repeated";

/// Supplies the values of the run once more.
struct Again<'p> {
    program: &'p Program,
    key: ObligationKey,
    values: std::iter::Copied<std::slice::Iter<'p, i128>>,
    texts: std::slice::Iter<'p, Option<Vec<u8>>>,
    recording: Recording,
    broken: Option<&'static str>,
}

impl Again<'_> {
    fn next(&mut self, ty: &Type) -> i128 {
        let Some(value) = self.values.next() else {
            self.broken = Some(READS_MORE);
            return 0;
        };
        match ty {
            Type::Int(kind) => kind.wrap(value, self.program.data_model),
            Type::Pointer(_) => self.program.data_model.difference_type().wrap(value, self.program.data_model),
            _ => value,
        }
    }
}

impl Environment for Again<'_> {
    fn input(&mut self, _input: InputId, ty: &Type, at: Location) -> i128 {
        let value = self.next(ty);
        self.recording.told.push(Told { at, value });
        self.recording.inputs += 1;
        value
    }

    fn arbitrary(&mut self, origin: &CellOrigin<'_>, ty: &Type) -> i128 {
        let value = self.next(ty);
        let path = path_of_leaf(self.program, origin.object_type, origin.leaf);
        let part = RecordedCell { path, ty: ty.clone(), value };
        let cells = self.recording.objects.entry(origin.object).or_default();
        if cells.insert(origin.leaf, part.clone()).is_some_and(|old| old != part) {
            self.broken = Some("reads a variable whose declaration it has jumped over");
        }
        value
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }

    fn gives_texts(&self) -> bool {
        true
    }

    fn text(&mut self, _name: &str, may_be_missing: bool, _at: Location) -> Option<Vec<u8>> {
        let Some(text) = self.texts.next().cloned() else {
            self.broken = Some(READS_MORE);
            return None;
        };
        match &text {
            _ if may_be_missing => self.recording.variable = Some(text.clone()),
            Some(argument) => self.recording.arguments.push(argument.clone()),
            None => {}
        }
        text
    }

    fn found(&mut self, value: Option<i128>, at: Location) {
        let whether = i128::from(value.is_some());
        self.recording.told.extend([whether].into_iter().chain(value).map(|value| Told { at, value }));
    }

    fn goes_on(&self, check: AssertionId, _value: Option<bool>) -> bool {
        self.key != ObligationKey::Assertion(check)
    }
}

/// Counts executions for the file.
struct Watch {
    key: ObligationKey,
    visits: u64,
    declared: BTreeMap<VarId, u64>,
    allocated: BTreeMap<SiteId, u64>,
}

impl Watch {
    fn visit(&mut self, stmt: &Stmt) {
        if is_of(stmt, self.key) {
            self.visits += 1;
        }
    }
}

/// Whether the obligation belongs to the statement.
pub(super) fn is_of(stmt: &Stmt, key: ObligationKey) -> bool {
    match (key, &stmt.kind) {
        (ObligationKey::Check(site, _), _) => stmt.site == site,
        (ObligationKey::Assertion(id), StmtKind::Assert(_, other)) => id == *other,
        (ObligationKey::Assertion(id), StmtKind::Claim(claim)) => claim.role.assertion() == Some(id),
        _ => false,
    }
}

impl Observer for Watch {
    fn at(&mut self, stmt: &Stmt, _state: &State<'_, '_>) {
        match stmt.kind {
            // A loop statement evaluates only its condition.
            StmtKind::Loop(_) => return,
            StmtKind::Declare(v) => *self.declared.entry(v).or_default() += 1,
            StmtKind::Allocate { .. } => *self.allocated.entry(stmt.site).or_default() += 1,
            _ => {}
        }
        self.visit(stmt);
    }

    fn test(&mut self, loop_stmt: &Stmt, _state: &State<'_, '_>) {
        self.visit(loop_stmt);
    }
}
