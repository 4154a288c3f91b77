//! Values that functions of the C library take from outside of the program.
//!
//! **A run may take such a value** if some library gives it in some environment, whatever it has
//! given before. So a failing run with these values is one that the program has.

use super::context::{Lowered, Lowerer};
use crate::program::{Expr, Finding, Found, IntKind, LibraryInput, Location, Lvalue, Presumption, StmtKind, Type};
use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::{Node, Span};

/// Functions after which a stream may give what the program has read or written before, or nothing.
const AGAIN: [&str; 30] = [
    "close",
    "dup",
    "dup2",
    "dup3",
    "fcloseall",
    "fdopen",
    "fmemopen",
    "fopencookie",
    "freopen",
    "fseek",
    "fseeko",
    "fsetpos",
    "lseek",
    "memfd_create",
    "mkstemp",
    "open_memstream",
    "pipe",
    "pipe2",
    "popen",
    "posix_openpt",
    "rewind",
    "setbuf",
    "setbuffer",
    "setrlimit",
    "setvbuf",
    "shm_open",
    "socketpair",
    "tmpfile",
    "ungetc",
    "ungetwc",
];

impl Lowerer<'_> {
    /// `__builtin_smalti_input("WORDS", least, most)`: any `int`. A run takes a value between the
    /// two, both included. The words say what it is.
    ///
    /// If the program may read again what it has read or written, the value is one that no run
    /// knows.
    pub(super) fn library_input(&mut self, list: &[Node<Expression>], span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let [words, least, most] = list else { return self.wrong(span, "this builtin takes three arguments") };
        let words = self.format_text(words).map(|text| String::from_utf8_lossy(&text).into_owned());
        let (least, most) = (self.try_constant(least)?, self.try_constant(most)?);
        let (words, least, most) = match (words, least, most) {
            (Some(words), Some(least), Some(most)) if least <= most => (words, least, most),
            _ => return self.wrong(span, "this builtin takes a text and two constants, the lesser one first"),
        };
        let mut own_words = self.units.iter().map(|unit| &unit.own_words);
        if least < most && own_words.any(|words| AGAIN.iter().any(|word| words.contains(*word))) {
            return Ok(self.any_number(IntKind::Int, at));
        }
        let value = self.temporary(Type::INT, at);
        self.take_input(value.clone(), LibraryInput { words, least, most }, at);
        Ok(Expr::load(value))
    }

    /// `rand` and `random`: any value up to the greatest that they return.
    pub(super) fn random(&mut self, name: &str, at: Location) -> Expr {
        const MOST: i128 = 0x7fff_ffff;
        let kind = if name == "random" { IntKind::Long } else { IntKind::Int };
        self.emit(StmtKind::Presume(Presumption::Drawn), at);
        let value = self.temporary(Type::Int(kind), at);
        let words = format!("the result of {name}()");
        self.take_input(value.clone(), LibraryInput { words, least: 0, most: MOST }, at);
        let value = Expr::load(value);
        self.assume_between(0, &value, MOST, kind);
        value
    }

    fn take_input(&mut self, to: Lvalue, input: LibraryInput, at: Location) {
        let id = self.new_input();
        self.program.library_inputs.insert(id, input);
        self.emit(StmtKind::Input(to, id), at);
    }

    /// Says what a function finds in arguments of `main`, so that runs know it.
    pub(super) fn note_finding(
        &mut self,
        name: &str,
        list: &[Node<Expression>],
        value: &Expr,
        span: Span,
    ) -> Lowered<()> {
        let what = match name.strip_prefix("__builtin_").unwrap_or(name) {
            "strlen" => Found::Length,
            "atoi" | "atol" | "atoll" => Found::Number,
            "strcmp" => Found::Order,
            _ => return Ok(()),
        };
        if value.ty == Type::Void || !list.iter().all(is_simple) || !self.reads_arguments_of_main(name, list) {
            return Ok(());
        }
        let texts = list.iter().map(|e| self.rvalue(e)).collect::<Lowered<Vec<Expr>>>()?;
        let finding = Finding { what, texts, value: value.clone() };
        self.emit(StmtKind::Presume(Presumption::Finds(Box::new(finding))), self.at(span));
        Ok(())
    }
}

/// Whether an expression can be evaluated twice: it is a literal, or an element whose index is a
/// constant or a variable.
fn is_simple(e: &Node<Expression>) -> bool {
    let is_value = |e: &Expression| matches!(e, Expression::Constant(_) | Expression::Identifier(_));
    match &e.node {
        Expression::StringLiteral(_) | Expression::Constant(_) => true,
        Expression::BinaryOperator(b) => {
            b.node.operator.node == BinaryOperator::Index && is_value(&b.node.lhs.node) && is_value(&b.node.rhs.node)
        }
        _ => false,
    }
}
