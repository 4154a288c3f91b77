//! Lists the statements of a failing run and the values that they change, for people to read.
//!
//! The run is known to fail after a known number of statements. It is repeated, and its beginning
//! and its end are recorded. The part between is left out, and so is everything too large to read:
//! arrays of more than [`MOST_LEAVES`] cells.

use crate::interpreter::{self, Environment, Limits, ObjectRef, Observer, Run, Seen, State, path_of_leaf};
use crate::program::{Location, Program, Stmt, StmtKind, Type, VarId, each_stmt, print};
use crate::verdict::RunStep;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of statements recorded at the beginning.
const FIRST: u64 = 150;
/// The number of statements recorded before the end.
const LAST: u64 = 350;
/// The most cells of an object whose cells are shown.
const MOST_LEAVES: u64 = 64;

/// The statements of a run that an environment with the same values repeats; empty if there is not
/// enough time.
pub(super) fn statements<E: Environment>(
    program: &Program,
    environment: &mut E,
    run: &Run,
    limits: &Limits,
) -> Vec<RunStep> {
    let mut watch = Watch::new(program, run.steps);
    let again = interpreter::run(program, environment, &mut watch, limits);
    if again.outcome == run.outcome && again.steps == run.steps { watch.path } else { Vec::new() }
}

/// Records a run whose number of statements is known.
struct Watch {
    steps: u64,
    path: Vec<RunStep>,
    /// The names of variables.
    names: Vec<String>,
    /// The values seen last, by name.
    values: BTreeMap<String, String>,
    /// The names and types of the cells of each variable.
    leaves: BTreeMap<VarId, Vec<(String, Type)>>,
}

impl Watch {
    fn new(program: &Program, steps: u64) -> Watch {
        Watch { steps, path: Vec::new(), names: names(program), values: BTreeMap::new(), leaves: BTreeMap::new() }
    }

    fn hear(&mut self, at: Location, state: &State<'_, '_>) {
        let now = state.steps();
        if now > FIRST && now.saturating_add(LAST) < self.steps {
            if let Some(last) = self.path.last_mut() {
                last.left_out += 1;
            }
            return;
        }
        let changes = self.changes(state);
        if let Some(last) = self.path.last_mut() {
            // Changes made while the run was not watched do not come from the statement seen last,
            // but they are shown there.
            last.changes.extend(changes);
        }
        let function = state.function().map(|f| state.program().function(f).shown().into_owned()).unwrap_or_default();
        match self.path.last() {
            // One statement of the source may be several statements of the program.
            Some(last) if last.at == at && last.changes.is_empty() && last.left_out == 0 => {}
            _ => self.path.push(RunStep { at, function, changes: Vec::new(), left_out: 0 }),
        }
    }

    /// The cells whose values differ from those seen last.
    fn changes(&mut self, state: &State<'_, '_>) -> Vec<(String, String)> {
        let mut changes = Vec::new();
        let program = state.program();
        let names = std::mem::take(&mut self.names);
        for ((n, variable), name) in (0..).zip(&program.variables).zip(&names) {
            let id = VarId(n);
            if variable.is_hidden() {
                continue;
            }
            if variable.ty.is_scalar() {
                if let Some(seen) = state.scalar(id) {
                    self.note(name, seen, &mut changes);
                }
            } else if let Some(object) = state.object(id) {
                self.object(id, name, object, state, &mut changes);
            }
        }
        self.names = names;
        changes
    }

    fn object(
        &mut self,
        id: VarId,
        name: &str,
        object: ObjectRef,
        state: &State<'_, '_>,
        changes: &mut Vec<(String, String)>,
    ) {
        let Some((ty, count)) = state.shape(object).filter(|(_, count)| *count <= MOST_LEAVES) else { return };
        let known = self.leaves.get(&id).filter(|leaves| leaves.len() as u64 == count);
        let leaves = match known {
            Some(leaves) => leaves.clone(),
            None => {
                let leaves: Vec<(String, Type)> =
                    (0..count).filter_map(|leaf| leaf_of(state.program(), name, ty, leaf)).collect();
                if leaves.len() as u64 != count {
                    return;
                }
                self.leaves.insert(id, leaves.clone());
                leaves
            }
        };
        for (leaf, (name, ty)) in (0..).zip(&leaves) {
            if let Some(seen) = state.cell(object, leaf, ty) {
                self.note(name, seen, changes);
            }
        }
    }

    fn note(&mut self, name: &str, seen: Seen, changes: &mut Vec<(String, String)>) {
        let value = match seen {
            Seen::Int(n) => n.to_string(),
            Seen::Null => "NULL".to_owned(),
            // Addresses and unwritten values do not help a reader.
            Seen::Pointer(..) | Seen::Function(_) | Seen::Any | Seen::Unset => return,
        };
        if self.values.get(name) != Some(&value) {
            self.values.insert(name.to_owned(), value.clone());
            changes.push((name.to_owned(), value));
        }
    }
}

/// The names of all variables. If several share a name, it is followed by the function or the file
/// that declares the variable, and by a number if that is still ambiguous.
fn names(program: &Program) -> Vec<String> {
    let mut owners: HashMap<VarId, Cow<'_, str>> = HashMap::new();
    for f in &program.functions {
        owners.extend(f.parameters.iter().map(|p| (*p, f.shown())));
        f.body.iter().for_each(|body| {
            each_stmt(body, &mut |stmt| {
                if let StmtKind::Declare(v) = stmt.kind {
                    owners.insert(v, f.shown());
                }
            });
        });
    }
    let mut count: BTreeMap<Cow<'_, str>, u32> = BTreeMap::new();
    program.variables.iter().for_each(|v| *count.entry(v.shown()).or_default() += 1);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let name = |(n, v): (u32, &crate::program::Variable)| {
        let name = v.shown();
        if count.get(&name) == Some(&1) {
            return name.into_owned();
        }
        let file = || program.sources.file(v.location.file).name.as_str();
        let owner = owners.get(&VarId(n)).map_or_else(file, AsRef::as_ref);
        let long = format!("{name}@{owner}");
        let numbered = std::iter::once(long.clone()).chain((2..).map(|k: u64| format!("{long}:{k}")));
        let free = numbered.into_iter().find(|name| !taken.contains(name)).unwrap_or(long);
        taken.insert(free.clone());
        free
    };
    (0..).zip(&program.variables).map(name).collect()
}

/// The name and the type of one cell of an object.
fn leaf_of(program: &Program, name: &str, ty: &Type, leaf: u64) -> Option<(String, Type)> {
    let path = path_of_leaf(program, ty, leaf);
    let text = format!("{name}{}", print::steps(program, ty, &path, u64::to_string));
    Some((text, program.type_at(ty, &path)?.clone()))
}

impl Observer for Watch {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        // A loop is reported at its tests, and a block by the statements in it.
        if !matches!(stmt.kind, StmtKind::Loop(_) | StmtKind::Block(_) | StmtKind::Skip | StmtKind::Label(..)) {
            self.hear(stmt.location, state);
        }
    }

    fn test(&mut self, loop_stmt: &Stmt, state: &State<'_, '_>) {
        self.hear(loop_stmt.location, state);
    }
}
