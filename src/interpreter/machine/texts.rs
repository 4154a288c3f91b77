//! What a run gets from outside when it starts: the standard streams, the arguments of `main`, and
//! the variables of the environment.

use super::super::memory::Initially;
use super::super::value::{Cell, Pointer, Value};
use super::super::{Environment, ObjectOrigin};
use super::{Machine, Trap};
use crate::program::{IntKind, Length, Location, Lvalue, Outside, Program, Type, VarId};
use std::rc::Rc;

/// The most arguments of `main` that a run gets.
const MOST_ARGUMENTS: usize = 64;

/// The standard streams. They have different addresses, at which nothing of the program lies.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];
const BETWEEN_STREAMS: i64 = 1 << 20;

/// The address of the standard stream to which a variable of the C library leads when the program
/// starts.
pub fn standard_stream(program: &Program, v: VarId) -> Option<i64> {
    let variable = program.variable(v);
    let is_own = program.sources.file(variable.location.file).own;
    if is_own || !program.elsewhere.contains(&v) || !matches!(variable.ty, Type::Pointer(_)) {
        return None;
    }
    (1..).zip(STREAMS).find(|(_, name)| *name == variable.name).map(|(n, _)| n * BETWEEN_STREAMS)
}

impl<'p> Machine<'p> {
    /// Gives `main` as many arguments as it is told (C11 5.1.2.2.1), if there are texts.
    pub(super) fn give_arguments<E: Environment>(&mut self, env: &mut E, at: Location) -> Result<(), Trap> {
        let program = self.program;
        let [count, texts] = program.function(program.entry).parameters[..] else { return Ok(()) };
        let is_told = program.outside.get(&texts) == Some(&Outside::Texts) && program.variable(count).ty == Type::INT;
        let Some(text) = program.variable(texts).ty.pointee().filter(|_| is_told && env.gives_texts()) else {
            return Ok(());
        };
        let place = self.whole(count, at)?;
        let Value::Int(count) = self.load(env, place, &Type::INT, at)? else { return Ok(()) };
        let Some(count) = usize::try_from(count).ok().filter(|n| *n <= MOST_ARGUMENTS) else { return Ok(()) };
        let mut cells = Vec::new();
        for n in 0..count {
            let argument = env.text(&format!("argv[{n}]"), false, at).unwrap_or_default();
            cells.push(Cell::Pointer(self.text(&argument, text)));
        }
        cells.push(Cell::Null);
        let array = self.written(text, cells);
        let place = self.whole(texts, at)?;
        self.store(place, &program.variable(texts).ty, Value::Pointer(array))
    }

    /// The value that a pointer from outside gets, if it is known what it leads to.
    ///
    /// A variable of the environment has any text, or there is none. Of two, nothing says whether
    /// they are the same, so only the first one is given.
    pub(super) fn from_outside<E: Environment>(&mut self, env: &mut E, to: &Lvalue) -> Option<Value> {
        let v = to.as_var()?;
        let is_start = self.frames.last().is_some_and(|f| f.function == self.program.functions.len());
        if let Some(address) = standard_stream(self.program, v).filter(|_| is_start) {
            return Some(Value::Wild(address));
        }
        let is_variable = self.program.outside.get(&v) == Some(&Outside::Environment);
        if !is_variable || self.has_asked || !env.gives_texts() {
            return None;
        }
        self.has_asked = true;
        Some(match env.text("getenv()", true, to.location) {
            Some(text) => Value::Pointer(self.text(&text, &to.ty)),
            None => Value::Null,
        })
    }

    /// A new text, to which a pointer of that type leads.
    fn text(&mut self, text: &[u8], pointer: &Type) -> Pointer {
        let kind = match pointer.pointee() {
            Some(Type::Int(kind)) => *kind,
            _ => IntKind::Char,
        };
        let bytes = text.iter().chain(&[0]);
        let cells = bytes.map(|byte| Value::Int(kind.wrap((*byte).into(), self.model)).to_cell()).collect();
        self.written(&Type::Int(kind), cells)
    }

    /// A new array with these elements.
    fn written(&mut self, element: &Type, cells: Vec<Cell>) -> Pointer {
        let length = cells.len() as u64;
        let ty = Rc::new(Type::Array(Box::new(element.clone()), Length::Constant(length)));
        let object = self.memory.create(ObjectOrigin::Outside, ty, length, Initially::Zero);
        (0..).zip(cells).for_each(|(leaf, cell)| self.memory.write(object, leaf, cell));
        Pointer { object, leaf: 0 }
    }
}
