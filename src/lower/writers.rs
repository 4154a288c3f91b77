//! Functions of the C library and of POSIX that write to objects of the program only where their
//! arguments lead, call none of its functions, and keep no pointer through which they would do so
//! later.
//!
//! **Sound**: C11 7 and POSIX.1-2017 say of each what it writes. They may set `errno`, which holds
//! any value wherever it is read.

use super::blocks::uncast;
use super::builtins::Use;
use super::context::{Lowered, Lowerer, Symbol};
use crate::program::{BinaryOp, Contents, Expr, ExprKind, IntKind, Location, StmtKind, Type, WrittenBytes};
use Extent::{Counted, Inside, Whole};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};

/// What a function writes through one of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// The object that the argument of that number points to, if it is not null.
    Whole(usize),
    /// As many bytes as an argument says, the second number, or fewer, if it is not null.
    Counted(usize, usize),
    /// Some bytes of the object that it leads into, if it is not null.
    Inside(usize),
}

/// A function that writes through its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Writer {
    name: &'static str,
    /// How many arguments it takes.
    arity: usize,
    extents: &'static [Extent],
    result: Outcome,
}

/// What a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Any value of its type.
    Any,
    /// A number of bytes, at most that which an argument says, or -1.
    Count(usize),
    /// An argument, or null.
    Argument(usize),
}

const fn writer(name: &'static str, arity: usize, extents: &'static [Extent], result: Outcome) -> Writer {
    Writer { name, arity, extents, result }
}

const fn fills(name: &'static str, arity: usize, extents: &'static [Extent]) -> Writer {
    writer(name, arity, extents, Outcome::Any)
}

/// Those of C. Their names are reserved (C11 7.1.3), so that nothing else is meant by them.
const OF_C: &[Writer] = &[
    fills("time", 1, &[Whole(0)]),
    fills("mktime", 1, &[Whole(0)]),
    writer("strftime", 4, &[Counted(0, 1)], Outcome::Count(1)),
    fills("fgetpos", 2, &[Whole(1)]),
    fills("frexp", 2, &[Whole(1)]),
    fills("modf", 2, &[Whole(1)]),
    fills("timespec_get", 2, &[Whole(0)]),
];

/// Those of POSIX. Their names are the program's if no header of the system declares them.
const OF_POSIX: &[Writer] = &[
    // Time
    writer("localtime_r", 2, &[Whole(1)], Outcome::Argument(1)),
    writer("gmtime_r", 2, &[Whole(1)], Outcome::Argument(1)),
    fills("gettimeofday", 2, &[Whole(0), Whole(1)]),
    fills("clock_gettime", 2, &[Whole(1)]),
    fills("clock_getres", 2, &[Whole(1)]),
    fills("nanosleep", 2, &[Whole(1)]),
    fills("getitimer", 2, &[Whole(1)]),
    fills("setitimer", 3, &[Whole(2)]),
    fills("times", 1, &[Whole(0)]),
    // Files
    fills("stat", 2, &[Whole(1)]),
    fills("lstat", 2, &[Whole(1)]),
    fills("fstat", 2, &[Whole(1)]),
    fills("fstatat", 4, &[Whole(2)]),
    fills("statvfs", 2, &[Whole(1)]),
    writer("read", 3, &[Counted(1, 2)], Outcome::Count(2)),
    writer("pread", 4, &[Counted(1, 2)], Outcome::Count(2)),
    writer("readlink", 3, &[Counted(1, 2)], Outcome::Count(2)),
    writer("recv", 4, &[Counted(1, 2)], Outcome::Count(2)),
    fills("recvfrom", 6, &[Counted(1, 2), Inside(4), Whole(5)]),
    fills("accept", 3, &[Inside(1), Whole(2)]),
    fills("getsockname", 3, &[Inside(1), Whole(2)]),
    fills("getpeername", 3, &[Inside(1), Whole(2)]),
    fills("getsockopt", 5, &[Inside(3), Whole(4)]),
    fills("gethostname", 2, &[Counted(0, 1)]),
    fills("select", 5, &[Whole(1), Whole(2), Whole(3), Whole(4)]),
    fills("poll", 3, &[Inside(0)]),
    fills("pipe", 1, &[Inside(0)]),
    fills("tcgetattr", 2, &[Whole(1)]),
    // Processes
    fills("wait", 1, &[Whole(0)]),
    fills("waitpid", 3, &[Whole(1)]),
    fills("wait3", 3, &[Whole(0), Whole(2)]),
    fills("wait4", 4, &[Whole(1), Whole(3)]),
    fills("getrlimit", 2, &[Whole(1)]),
    fills("getrusage", 2, &[Whole(1)]),
    fills("uname", 1, &[Whole(0)]),
    fills("sigemptyset", 1, &[Whole(0)]),
    fills("sigfillset", 1, &[Whole(0)]),
    fills("sigaddset", 2, &[Whole(0)]),
    fills("sigdelset", 2, &[Whole(0)]),
    fills("sigprocmask", 3, &[Whole(2)]),
];

/// The function of that name, if it is the library's.
pub(super) fn writer_of(name: &str) -> Option<Writer> {
    let named = |w: &&Writer| w.name == name;
    OF_C.iter().find(named).or_else(|| OF_POSIX.iter().find(named)).copied()
}

/// Whether it is one of POSIX.
pub(super) fn is_of_posix(name: &str) -> bool {
    OF_POSIX.iter().any(|w| w.name == name)
}

impl Lowerer<'_> {
    /// A call of a function that writes through its arguments. `None` if it has other arguments
    /// than such a function takes.
    pub(super) fn writer_call(
        &mut self,
        writer: Writer,
        list: &[Node<Expression>],
        usage: Use<'_>,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        let name = writer.name;
        if list.len() != writer.arity {
            return Ok(None);
        }
        self.unsequenced_arguments(list)?;
        let mut values = Vec::new();
        for (n, e) in list.iter().enumerate() {
            let value = self.rvalue(e)?;
            self.handed(value.clone());
            let value = match self.parameter_type(name, n) {
                Some(ty) => self.convert(value, &ty, e.span)?,
                None => value,
            };
            values.push(self.settle_now(value));
        }
        for extent in writer.extents {
            self.write_through(*extent, &values, span)?;
        }
        self.trust_pointers(name, list)?;
        let value = self.any_value(name, usage, span)?;
        match (writer.result, &value.ty) {
            (Outcome::Count(n), Type::Int(kind)) => {
                let count = self.convert(values[n].clone(), &value.ty, span)?;
                self.assume_count(&value, count, *kind);
            }
            (Outcome::Argument(n), Type::Pointer(_)) => {
                let argument = self.convert(values[n].clone(), &value.ty, span)?;
                return Ok(Some(self.perhaps_null(argument)));
            }
            _ => {}
        }
        Ok(Some(value))
    }

    /// The type with which a function was declared to take that argument.
    fn parameter_type(&self, name: &str, n: usize) -> Option<Type> {
        let Some(Symbol::Function(id)) = self.lookup(name) else { return None };
        let parameters = self.functions[id.0 as usize].signature.parameters.as_ref()?;
        parameters.get(n).map(|p| p.ty.clone())
    }

    fn write_through(&mut self, extent: Extent, values: &[Expr], span: Span) -> Lowered<()> {
        match extent {
            Whole(n) => {
                let pointer = values[n].clone();
                let is_sized = pointer.ty.pointee().is_some_and(|ty| *ty != Type::Void && self.is_complete(ty));
                if !is_sized {
                    return self.write_inside(pointer, span);
                }
                self.unless_null(pointer, span, |l, pointer| {
                    let at = pointer.location;
                    let object = l.dereference(pointer, at);
                    l.library_writes(object, at);
                    Ok(())
                })
            }
            Counted(to, count) => {
                self.write_block(uncast(values[to].clone()), values[count].clone(), Contents::Written, span)
            }
            Inside(n) => self.write_inside(values[n].clone(), span),
        }
    }

    /// `__builtin_smalti_exchange(block, bytes, size)`: elements of that size change places.
    pub(super) fn exchange(&mut self, list: &[Node<Expression>], span: Span) -> Lowered<()> {
        let [to, count, size] = list else { return self.wrong(span, "this needs three arguments") };
        let (to, count, size) = (self.rvalue(to)?, self.rvalue(count)?, self.rvalue(size)?);
        let to = self.settle_now(uncast(to));
        let size = self.convert(size, &self.difference_type(), span)?;
        let size = self.settle_now(size);
        self.write_block(to, count, Contents::Exchanged(size), span)
    }

    /// Bytes may be written from where a pointer leads up to the end of that object.
    pub(super) fn write_inside(&mut self, pointer: Expr, span: Span) -> Lowered<()> {
        self.unless_null(pointer, span, |l, pointer| {
            let at = pointer.location;
            let kind = l.model().difference_type();
            let (to, count) = (uncast(pointer), Expr::int(kind.max(l.model()), kind, at));
            l.write_bytes(WrittenBytes { to, contents: Contents::Written, count }, at);
            Ok(())
        })
    }

    /// Emits statements for where a pointer is not null.
    fn unless_null(
        &mut self,
        pointer: Expr,
        span: Span,
        inside: impl FnOnce(&mut Self, Expr) -> Lowered<()>,
    ) -> Lowered<()> {
        let is_null = uncast(pointer.clone()).as_int() == Some(0);
        match pointer.ty {
            Type::Pointer(_) if !is_null => {}
            _ => return Ok(()),
        }
        if matches!(uncast(pointer.clone()).kind, ExprKind::AddressOf(_)) {
            return inside(self, pointer);
        }
        let at = pointer.location;
        let is_some = self.truth(pointer.clone(), span)?;
        let ((), block) = self.collecting(|l| inside(l, pointer))?;
        self.emit(StmtKind::If(is_some, block, Vec::new()), at);
        Ok(())
    }

    /// Any number of that type, which no run knows.
    pub(super) fn any_number(&mut self, kind: IntKind, at: Location) -> Expr {
        let value = self.temporary(Type::Int(kind), at);
        self.emit(StmtKind::Havoc(value.clone()), at);
        Expr::load(value)
    }

    /// A pointer, or null.
    fn perhaps_null(&mut self, pointer: Expr) -> Expr {
        let (at, ty) = (pointer.location, pointer.ty.clone());
        let is_some = self.any_number(IntKind::Int, at);
        let null = Expr::new(ExprKind::Int(0), ty.clone(), at);
        Expr::new(ExprKind::Conditional(Box::new(is_some), Box::new(pointer), Box::new(null)), ty, at)
    }

    /// Assumes that a result is at most a count, both of that type, and -1 or more. A count that
    /// is too large for the type says nothing.
    fn assume_count(&mut self, value: &Expr, count: Expr, kind: IntKind) {
        let at = value.location;
        let is_most = self.arithmetic(BinaryOp::LessEqual, value.clone(), count.clone(), Type::INT);
        let condition = if kind.is_signed() {
            let least = self.arithmetic(BinaryOp::LessEqual, Expr::int(-1, kind, at), value.clone(), Type::INT);
            self.emit(StmtKind::Assume(least), at);
            let is_none = self.arithmetic(BinaryOp::Less, count, Expr::int(0, kind, at), Type::INT);
            Expr::new(ExprKind::Or(Box::new(is_most), Box::new(is_none)), Type::INT, at)
        } else {
            is_most
        };
        self.emit(StmtKind::Assume(condition), at);
    }
}
