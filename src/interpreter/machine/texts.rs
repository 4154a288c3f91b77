//! What a run gets from outside when it starts: the standard streams, the arguments of `main`, and
//! the variables of the environment.

use super::super::evaluate::{Mode, StorageRef};
use super::super::memory::Initially;
use super::super::value::{Cell, Pointer, Value};
use super::super::{Environment, ObjectOrigin};
use super::{Machine, Trap};
use crate::program::{
    Expr, ExprKind, Finding, Found, IntKind, Length, Location, Lvalue, Outside, Program, Type, VarId,
};
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
    let is_foreign = program.elsewhere.contains(&v) && matches!(variable.ty, Type::Pointer(_));
    if !is_foreign || program.sources.file(variable.location.file).own {
        return None;
    }
    (1..).zip(STREAMS).find(|(_, name)| *name == variable.name).map(|(n, _)| n * BETWEEN_STREAMS)
}

impl<'p> Machine<'p> {
    /// Gives `main` as many arguments as it is told (C11 5.1.2.2.1), if there are texts.
    pub(super) fn give_arguments<E: Environment>(&mut self, env: &mut E, at: Location) -> Result<(), Trap> {
        let program = self.program;
        let Some((count, texts)) = program.texts_of_entry().filter(|_| env.gives_texts()) else { return Ok(()) };
        let Some(text) = program.variable(texts).ty.pointee() else { return Ok(()) };
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
    pub(super) fn given_from_outside<E: Environment>(&mut self, env: &mut E, to: &Lvalue) -> Option<Value> {
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

    /// Gives a value that is not known yet what a function finds in texts, if they are known.
    pub(in crate::interpreter) fn find_in_texts<E: Environment>(
        &mut self,
        env: &mut E,
        finding: &'p Finding,
        at: Location,
    ) -> Result<(), Trap> {
        let ExprKind::Load(to) = &finding.value.kind else { return Ok(()) };
        let place = self.place(env, to, Mode::Write)?;
        let number = self.finds(env, place, &to.ty, finding, at)?;
        env.found(number, at);
        number.map_or(Ok(()), |n| self.store(place, &to.ty, Value::Int(n)))
    }

    /// What a function finds in texts, if they are known and the place for it is open.
    fn finds<E: Environment>(
        &mut self,
        env: &mut E,
        place: StorageRef,
        ty: &Type,
        finding: &'p Finding,
        at: Location,
    ) -> Result<Option<i128>, Trap> {
        let Type::Int(kind) = ty else { return Ok(None) };
        let is_open = match place {
            StorageRef::Register { v } => *self.slot(v, at)? == Cell::Havocked,
            StorageRef::Cell { .. } => false,
        };
        let mut texts = Vec::new();
        for text in &finding.texts {
            let Some(text) = self.known_text(env, text)? else { return Ok(None) };
            texts.push(text);
        }
        Ok(found(finding.what, &texts).filter(|n| is_open && kind.contains(*n, self.model)))
    }

    /// The text at an address, if all its characters are known.
    fn known_text<E: Environment>(&mut self, env: &mut E, at: &'p Expr) -> Result<Option<Vec<u8>>, Trap> {
        let Ok(Value::Pointer(Pointer { object, leaf })) = self.eval(env, at) else { return Ok(None) };
        let Some((leaves, initially)) = self.memory.get(object).map(|o| (o.leaves, o.initially)) else {
            return Ok(None);
        };
        let mut text = Vec::new();
        for leaf in u64::try_from(leaf).unwrap_or(leaves)..leaves {
            self.tick(1)?;
            match self.memory.read(object, leaf) {
                Cell::Int(0) => return Ok(Some(text)),
                Cell::Unset if initially == Initially::Zero => return Ok(Some(text)),
                Cell::Int(n) => text.push(n as u8),
                _ => break,
            }
        }
        Ok(None)
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

/// What is found in texts; `None` if C does not say.
fn found(what: Found, texts: &[Vec<u8>]) -> Option<i128> {
    match (what, texts) {
        (Found::Length, [text]) => Some(text.len() as i128),
        (Found::Number, [text]) => {
            let start = text.iter().position(|c| !matches!(c, b' ' | b'\t'..=b'\r')).unwrap_or(text.len());
            let (negative, digits) = match &text[start..] {
                [b'-', digits @ ..] => (true, digits),
                [b'+', digits @ ..] | digits => (false, digits),
            };
            let mut digits = digits.iter().take_while(|c| c.is_ascii_digit());
            let number = digits.try_fold(0i128, |n, c| n.checked_mul(10)?.checked_add(i128::from(c - b'0')))?;
            Some(if negative { -number } else { number })
        }
        (Found::Order, [a, b]) => Some(a.cmp(b) as i128),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, found};

    #[test]
    fn numbers_are_read_as_the_library_reads_them() {
        let number = |text: &str| found(Found::Number, &[text.as_bytes().to_vec()]);
        let cases = [("", 0), (" \t\n-12x", -12), ("+7", 7), ("- 7", 0), ("--7", 0), ("x", 0), ("0x10", 0), ("007", 7)];
        for (text, n) in cases {
            assert_eq!(number(text), Some(n), "{text}");
        }
        assert_eq!(number("999999999999999999999999999999999999999999"), None);
        let order = |a: &str, b: &str| found(Found::Order, &[a.into(), b.into()]);
        assert_eq!([order("a", "b"), order("ab", "a"), order("\u{e9}", "z")], [Some(-1), Some(1), Some(1)]);
    }
}
