//! The path of a run, as a counterexample shows it.

use crate::interpreter::{Observer, State};
use crate::program::{Callee, InputId, LibraryInput, Location, Program, Stmt, StmtKind};
use crate::verdict::{InputValue, PathEvent, PathStep};

/// The most inputs of a run that are shown. The next limit is for other steps.
const MOST_INPUTS: usize = 1000;
const MOST_OTHERS: usize = 1000;

/// Records the steps of a run.
pub(super) struct Trail<'p> {
    program: &'p Program,
    steps: Vec<(Location, Seen)>,
    inputs: usize,
    shortened: bool,
}

/// A recorded step. An observer does not learn the value of an input.
enum Seen {
    Input { of_library: bool },
    Event(PathEvent),
}

impl<'p> Trail<'p> {
    pub(super) fn new(program: &'p Program) -> Trail<'p> {
        Trail { program, steps: Vec::new(), inputs: 0, shortened: false }
    }

    /// Whether runs have no choice of an input. It is not shown.
    fn is_fixed(&self, input: InputId) -> bool {
        self.program.library_inputs.get(&input).is_some_and(LibraryInput::is_fixed)
    }

    fn note(&mut self, location: Location, event: impl FnOnce() -> PathEvent) {
        if self.steps.len() - self.inputs < MOST_OTHERS {
            self.steps.push((location, Seen::Event(event())));
        } else {
            self.shortened = true;
        }
    }

    /// The path of a run that took these values, and whether a part of it is missing.
    pub(super) fn path(self, values: &[InputValue]) -> (Vec<PathStep>, bool) {
        let mut shortened = self.shortened;
        // The values are in the order of the inputs, with initial values of objects between them.
        let mut taken = values.iter().filter(|v| v.input.is_some());
        let mut path = Vec::new();
        for (location, seen) in self.steps {
            let event = match seen {
                Seen::Event(event) => event,
                Seen::Input { of_library } => match taken.next() {
                    Some(v) => PathEvent::Input { target: v.target.clone(), value: v.value, of_library },
                    None => {
                        shortened = true;
                        continue;
                    }
                },
            };
            path.push(PathStep { location, place: self.program.sources.describe(location), event });
        }
        (path, shortened)
    }
}

impl Observer for Trail<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        match &stmt.kind {
            StmtKind::Input(_, input) if self.is_fixed(*input) => {}
            StmtKind::Input(_, input) if self.inputs < MOST_INPUTS => {
                self.inputs += 1;
                let of_library = self.program.library_inputs.contains_key(input);
                self.steps.push((state.taken_at(*input, stmt.location), Seen::Input { of_library }));
            }
            StmtKind::Input(..) => self.shortened = true,
            StmtKind::Call { callee: Callee::Function(f), .. } => {
                let function = self.program.function(*f);
                if function.body.is_some() {
                    self.note(stmt.location, || PathEvent::Call { function: function.name.clone() });
                }
            }
            _ => {}
        }
    }

    fn tested(&mut self, stmt: &Stmt, holds: bool) {
        self.note(stmt.location, || match stmt.kind {
            StmtKind::Loop(_) => PathEvent::Loop { holds },
            _ => PathEvent::Branch { holds },
        });
    }
}
