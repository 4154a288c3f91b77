//! The values that a run took from outside, as a counterexample lists them.

use super::trail::Trail;
use crate::interpreter::{CellOrigin, ObjectOrigin};
use crate::program::{InputId, LibraryInput, Location, Lvalue, Program, StmtKind, Storage, Type, VarId, print};
use crate::verdict::{Counterexample, InputValue, RunStep};
use std::collections::HashMap;

/// The most values that a counterexample lists. A longer list would not help a reader.
const MOST_LISTED: usize = 1000;
/// The most values of a run that are kept, so that it can be repeated.
const MOST_KEPT: usize = 1 << 20;

/// The values that a run has taken so far, in order.
pub(super) struct Taken<'p> {
    program: &'p Program,
    /// The object that each input statement writes.
    targets: HashMap<InputId, &'p Lvalue>,
    values: Vec<InputValue>,
    /// All values, as long as there are not too many.
    all: Option<Vec<i128>>,
    texts: Vec<Option<Vec<u8>>>,
}

impl<'p> Taken<'p> {
    pub(super) fn new(program: &'p Program) -> Taken<'p> {
        let mut targets = HashMap::new();
        program.each_stmt(|s| {
            if let StmtKind::Input(target, id) = &s.kind {
                targets.insert(*id, target);
            }
        });
        Taken { program, targets, values: Vec::new(), all: Some(Vec::new()), texts: Vec::new() }
    }

    fn keep(&mut self, value: i128) {
        match &mut self.all {
            Some(all) if all.len() < MOST_KEPT => all.push(value),
            all => *all = None,
        }
    }

    /// Records an input and returns its value. That of an input of the library is one that a
    /// library may give.
    pub(super) fn input(&mut self, input: InputId, at: Location, value: i128) -> i128 {
        let of_library = self.program.library_inputs.get(&input);
        let value = of_library.map_or(value, |taken| taken.fitted(value));
        self.keep(value);
        if self.values.len() < MOST_LISTED && !of_library.is_some_and(LibraryInput::is_fixed) {
            let target = match of_library {
                Some(taken) => taken.words.clone(),
                None => self.targets.get(&input).map(|t| print::lvalue(self.program, t)).unwrap_or_default(),
            };
            self.values.push(InputValue { input: Some(input), place: self.place(at), target, value });
        }
        value
    }

    /// Records the value of a cell that was never written, and returns it. A pointer is null, since
    /// no other address is worth trying. Arguments of `main` are an exception: they point to
    /// objects.
    pub(super) fn arbitrary(&mut self, origin: &CellOrigin<'_>, ty: &Type, value: i128) -> i128 {
        let argument = |v: VarId| self.program.variable(v).storage == Storage::Parameter;
        let value = match (ty, origin.object) {
            (Type::Pointer(_), ObjectOrigin::Variable { variable, .. }) => i128::from(argument(variable)),
            (Type::Pointer(_), ObjectOrigin::Heap { .. } | ObjectOrigin::Outside) => 0,
            _ => value,
        };
        self.keep(value);
        if self.values.len() < MOST_LISTED {
            let (place, target) = (self.place(origin.location), origin.describe(self.program));
            self.values.push(InputValue { input: None, place, target, value });
        }
        value
    }

    /// Records a text from outside, by its length and its characters, and returns it.
    pub(super) fn text(&mut self, name: &str, at: Location, text: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let mut values = match &text {
            Some(text) => vec![(format!("the length of {name}"), text.len() as i128)],
            None => vec![(format!("the result of {name}"), 0)],
        };
        let characters = text.iter().flatten().enumerate();
        values.extend(characters.map(|(n, c)| (format!("{name}[{n}]"), i128::from(*c))));
        for (target, value) in values {
            if self.values.len() < MOST_LISTED {
                self.values.push(InputValue { input: None, place: self.place(at), target, value });
            }
        }
        self.texts.push(text.clone());
        text
    }

    fn place(&self, at: Location) -> String {
        self.program.sources.describe(at)
    }

    /// The counterexample of the run that took these values, followed this path and failed after
    /// `steps` statements.
    pub(super) fn counterexample(self, steps: u64, trail: Trail<'_>, statements: Vec<RunStep>) -> Counterexample {
        let (path, shortened) = trail.path(&self.values);
        Counterexample { inputs: self.values, values: self.all, texts: self.texts, steps, path, shortened, statements }
    }
}
