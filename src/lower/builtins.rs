//! Functions of the C library and of the compiler that are known without a body.

use super::context::{Lowered, Lowerer, Symbol};
use super::prints::{self, Print};
use super::signatures::DeclaredType;
use super::writers::{self, Writer};
use crate::program::{
    Assumption, BinaryOp, Blocks, Expr, ExprKind, FloatKind, IntKind, Location, Lvalue, Presumption, StmtKind, Storage,
    Type, UnaryOp,
};
use lang_c::ast::{BinaryOperator, CallExpression, Expression};
use lang_c::span::{Node, Span};

/// What a known function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Builtin {
    Allocate(super::allocate::Allocator),
    Free,
    /// Only its arguments are evaluated; the result is any value.
    Quiet,
    /// A value that the library takes from outside.
    Input,
    /// Reads input through the pointers it is given, from this argument on.
    Scan(usize),
    Absolute(IntKind),
    Random,
    Expect,
    Unreachable,
    IsConstant,
    /// Stores the result of the operation, and says whether it does not fit.
    Overflows(BinaryOp),
    /// Sets up a list of variable arguments.
    StartArguments,
    Fill,
    Copy,
    /// The same for blocks that may overlap.
    Move,
    /// A function that writes only where its arguments lead.
    Writes(Writer),
    /// A function that prints into memory.
    Print(Print),
    /// Elements of a block change places.
    Exchange,
    /// The next option of the program.
    Options,
    /// Control may come back here later.
    SetJump,
    /// Control goes back.
    LongJump,
    /// A function handles signals: the second argument, or one in a struct.
    Signal,
    SignalAction,
    /// A function will run at the end.
    AtExit,
    /// There are two processes from here on.
    Fork,
    Refused(&'static str),
}

/// What is said of jumps between functions that are refused.
const JUMPS: &str = "jumps between functions";

fn builtin(name: &str) -> Option<Builtin> {
    use super::allocate::Allocator;
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    Some(match plain {
        "malloc" | "valloc" | "alloca" => Builtin::Allocate(Allocator::Bytes(0)),
        "aligned_alloc" | "memalign" => Builtin::Allocate(Allocator::Bytes(1)),
        "calloc" => Builtin::Allocate(Allocator::Zeroed),
        "realloc" => Builtin::Allocate(Allocator::Again),
        "free" | "cfree" => Builtin::Free,
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "puts" | "putchar" | "fputs" | "fputc" | "putc" | "fflush"
        | "perror" | "srand" | "srandom" | "strlen" | "strcmp" | "strncmp" | "strcasecmp" | "memcmp" | "atoi"
        | "atol" | "atoll" | "atof" | "getchar" | "clock" | "isalpha" | "isdigit" | "isalnum" | "isspace"
        | "isupper" | "islower" | "isprint" | "ispunct" | "isxdigit" | "toupper" | "tolower" | "ffs" | "ffsl"
        | "ffsll" | "va_end" => Builtin::Quiet,
        // What the model of the library is made of.
        "smalti_any" if plain != name => Builtin::Quiet,
        "smalti_input" if plain != name => Builtin::Input,
        "getopt" => Builtin::Options,
        "smalti_exchange" if plain != name => Builtin::Exchange,
        // Without the prefix these are names like any other.
        "bswap16" | "bswap32" | "bswap64" | "popcount" | "popcountl" | "popcountll" | "clz" | "clzl" | "clzll"
        | "ctz" | "ctzl" | "ctzll" | "parity" | "parityl" | "parityll"
            if plain != name =>
        {
            Builtin::Quiet
        }
        "nan" | "nanf" | "nanl" | "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" | "isnan"
        | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "signbitf" | "signbitl" | "fpclassify"
            if plain != name =>
        {
            Builtin::Quiet
        }
        "add_overflow" | "sadd_overflow" | "saddl_overflow" | "saddll_overflow" | "uadd_overflow"
        | "uaddl_overflow" | "uaddll_overflow"
            if plain != name =>
        {
            Builtin::Overflows(BinaryOp::Add)
        }
        "sub_overflow" | "ssub_overflow" | "ssubl_overflow" | "ssubll_overflow" | "usub_overflow"
        | "usubl_overflow" | "usubll_overflow"
            if plain != name =>
        {
            Builtin::Overflows(BinaryOp::Sub)
        }
        "mul_overflow" | "smul_overflow" | "smull_overflow" | "smulll_overflow" | "umul_overflow"
        | "umull_overflow" | "umulll_overflow"
            if plain != name =>
        {
            Builtin::Overflows(BinaryOp::Mul)
        }
        "scanf" => Builtin::Scan(1),
        "fscanf" | "sscanf" => Builtin::Scan(2),
        "abs" => Builtin::Absolute(IntKind::Int),
        "labs" => Builtin::Absolute(IntKind::Long),
        "llabs" => Builtin::Absolute(IntKind::LongLong),
        "rand" | "random" => Builtin::Random,
        "expect" if plain != name => Builtin::Expect,
        "unreachable" if plain != name => Builtin::Unreachable,
        "constant_p" if plain != name => Builtin::IsConstant,
        "va_start" | "va_copy" if plain != name => Builtin::StartArguments,
        "memset" => Builtin::Fill,
        "memcpy" => Builtin::Copy,
        "memmove" => Builtin::Move,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => Builtin::SetJump,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Builtin::LongJump,
        "getcontext" | "setcontext" | "makecontext" | "swapcontext" => Builtin::Refused(JUMPS),
        "pthread_create" | "thrd_create" => Builtin::Refused("threads"),
        "fork" | "vfork" => Builtin::Fork,
        "signal" | "sysv_signal" | "__sysv_signal" | "bsd_signal" | "ssignal" | "sigset" => Builtin::Signal,
        "sigaction" | "sigvec" => Builtin::SignalAction,
        "atexit" => Builtin::AtExit,
        "at_quick_exit" | "on_exit" => Builtin::Refused("functions that run at the end"),
        _ if super::harmless::is_harmless(plain) => Builtin::Quiet,
        _ => return writers::writer_of(plain).map(Builtin::Writes).or(prints::print_of(plain).map(Builtin::Print)),
    })
}

/// What the program does with streams.
#[derive(Default)]
pub(super) struct Traffic {
    prints_addresses: bool,
    reads: bool,
}

/// How the value of a call is used.
#[derive(Clone, Copy, Default)]
pub(super) struct Use<'a> {
    /// The type that it is converted to.
    pub(super) wanted: Option<&'a Type>,
    /// Where the value is stored.
    pub(super) target: Option<&'a Lvalue>,
    /// Whether the value is not used.
    pub(super) dropped: bool,
}

impl Lowerer<'_> {
    fn known_name<'c>(&self, call: &'c Node<CallExpression>) -> Option<&'c str> {
        let Expression::Identifier(name) = &call.node.callee.node else { return None };
        let name = name.node.name.as_str();
        matches!(self.lookup(name), None | Some(Symbol::Function(_))).then_some(name)
    }

    fn builtin_of(&self, name: &str) -> Option<Builtin> {
        let known = builtin(name).filter(|_| !self.definitions.has_body(self.unit_number, name))?;
        self.is_meant(name).then_some(known)
    }

    /// Whether a name means the function of the library. C leaves some names to the program: they
    /// mean the library's only if they are declared.
    fn is_meant(&self, name: &str) -> bool {
        let parameters = match self.lookup(name) {
            Some(Symbol::Function(id)) => self.functions[id.0 as usize].signature.parameters.as_deref(),
            _ => None,
        };
        let integer = |p: &DeclaredType| matches!(p.ty, Type::Int(_));
        let text = |p: &DeclaredType| matches!(p.ty.pointee(), Some(Type::Int(kind)) if kind.width(self.model()) == 8);
        match name {
            "ffs" | "ffsl" | "ffsll" | "alloca" | "valloc" | "srandom" => {
                matches!(parameters, Some([a]) if integer(a))
            }
            "memalign" => matches!(parameters, Some([a, b]) if integer(a) && integer(b)),
            "random" | "fork" | "vfork" => matches!(parameters, Some([])),
            "cfree" => matches!(parameters, Some([a]) if a.ty.pointee() == Some(&Type::Void)),
            "getopt" => self.is_declared_by_header(name),
            name if super::harmless::is_of_posix(name) || writers::is_of_posix(name) => {
                self.is_declared_by_header(name)
            }
            "strcasecmp" => matches!(parameters, Some([a, b]) if text(a) && text(b)),
            _ => true,
        }
    }

    /// Whether calls of the function of that name are calls of a known function.
    pub(super) fn is_known_name(&self, name: &str) -> bool {
        self.known_role(name).is_some() || self.modelled(name).is_some() || self.builtin_of(name).is_some()
    }

    /// Whether [`Lowerer::known_call`] knows the call.
    pub(super) fn is_known(&self, call: &Node<CallExpression>) -> bool {
        self.known_name(call).is_some_and(|n| self.is_known_name(n))
    }

    /// A call of a specification function or of a known one of the library; `None` if it is
    /// neither. The value is `void` if there is none, or if it was written to the target.
    pub(super) fn known_call(&mut self, call: &Node<CallExpression>, usage: Use<'_>) -> Lowered<Option<Expr>> {
        let Some(name) = self.known_name(call) else { return Ok(None) };
        if let Some(value) = self.specification_call(name, call, usage.target)? {
            return Ok(Some(value));
        }
        if let Some(id) = self.modelled(name).filter(|_| !self.reads_arguments_of_main(name, &call.node.arguments)) {
            return self.modelled_call(name, id, call).map(Some);
        }
        match self.builtin_of(name) {
            Some(builtin) => self.builtin_call(builtin, name, call, usage),
            None => Ok(None),
        }
    }

    fn builtin_call(
        &mut self,
        builtin: Builtin,
        name: &str,
        call: &Node<CallExpression>,
        usage: Use<'_>,
    ) -> Lowered<Option<Expr>> {
        let (span, at) = (call.span, self.at(call.span));
        let list = &call.node.arguments;
        let void = super::expressions::void(at);
        let first = |l: &Self| match list.first() {
            Some(e) => Ok(e),
            None => l.wrong(span, format!("`{name}` needs an argument")),
        };
        match builtin {
            Builtin::Refused(what) => self.unsupported(span, format!("{what} (`{name}`) are not supported")),
            Builtin::Allocate(allocator) => self.allocator_call(allocator, name, call, usage).map(Some),
            Builtin::Free => {
                let block = self.rvalue(first(self)?)?;
                self.handed(block.clone());
                list.iter().skip(1).try_for_each(|e| self.effects(e))?;
                self.presume(Presumption::Freed(block), at);
                Ok(Some(void))
            }
            Builtin::Quiet | Builtin::Print(_) if self.writes_what_it_prints(name, list) => Ok(None),
            Builtin::Print(print) => self.print_into_memory(print, name, list, usage, span),
            Builtin::Quiet => self.quiet_call(name, list, usage, span).map(Some),
            Builtin::Scan(from) => self.scan(name, list, from, usage, span).map(Some),
            Builtin::Absolute(kind) => {
                let value = self.rvalue(first(self)?)?;
                self.absolute(value, kind, span).map(Some)
            }
            Builtin::Random => Ok(Some(self.random(name, at))),
            Builtin::Input => self.library_input(list, span).map(Some),
            Builtin::Expect => {
                let value = self.rvalue(first(self)?)?;
                list.iter().skip(1).try_for_each(|e| self.effects(e))?;
                self.convert(value, &Type::Int(IntKind::Long), span).map(Some)
            }
            Builtin::Unreachable => {
                self.assume_that("`__builtin_unreachable()` is never reached");
                self.emit(StmtKind::Assume(Expr::int(0, IntKind::Int, at)), at);
                Ok(Some(void))
            }
            Builtin::IsConstant => self.is_constant(first(self)?, at).map(Some),
            Builtin::Overflows(op) => self.overflows(op, list, span).map(Some),
            Builtin::StartArguments => {
                let list = first(self)?;
                if self.is_lvalue(&list.node) {
                    let place = self.lvalue(list)?;
                    self.emit(StmtKind::Havoc(place), at);
                }
                Ok(Some(void))
            }
            Builtin::Signal => {
                self.set_handler(list)?;
                self.any_value(name, usage, span).map(Some)
            }
            Builtin::SignalAction => {
                self.set_unknown_handlers();
                Ok(None)
            }
            Builtin::Options => self.options(list, usage, span),
            Builtin::Exchange => self.exchange(list, span).map(|()| Some(void)),
            Builtin::Writes(writer) => self.writer_call(writer, list, usage, span),
            Builtin::Fork => self.fork(name, usage, span).map(Some),
            Builtin::AtExit => self.register_at_exit(list, span).map(Some),
            Builtin::SetJump | Builtin::LongJump => self.function_jump(builtin == Builtin::SetJump, list, at).map(Some),
            Builtin::Fill | Builtin::Copy | Builtin::Move => {
                self.unsequenced_arguments(list)?;
                match builtin {
                    Builtin::Fill => self.fill(call),
                    Builtin::Copy => self.copy(call),
                    _ => self.move_bytes(call),
                }
            }
        }
    }

    /// A call of a function that writes to no object of the program.
    fn quiet_call(&mut self, name: &str, list: &[Node<Expression>], usage: Use<'_>, span: Span) -> Lowered<Expr> {
        self.unsequenced_arguments(list)?;
        (0..list.len()).try_for_each(|n| self.hand_on(name, n, list))?;
        self.trust_pointers(name, list)?;
        self.note_traffic(name, list, span)?;
        let value = self.any_value(name, usage, span)?;
        self.note_outside(name, &value);
        self.note_finding(name, list, &value, span)?;
        Ok(value)
    }

    /// `fork`: a run goes on as the parent, or as the child.
    ///
    /// **Sound**: each process has its own memory, which `fork` leaves as it is. What one process
    /// does after it is a run for itself, in which `fork` returned -1, 0 or some number. The child
    /// of `vfork` runs in the memory of its parent, which waits until it ends or runs another
    /// program: control comes back with what the child has written, as it does to `setjmp`.
    fn fork(&mut self, name: &str, usage: Use<'_>, span: Span) -> Lowered<Expr> {
        self.assume_that("the other process after `fork` changes no file or shared memory that this one reads");
        if name == "vfork" {
            return Ok(self.set_jump(self.at(span)));
        }
        let value = self.any_value(name, usage, span)?;
        if let Type::Int(kind) = value.ty
            && kind.is_signed()
        {
            self.assume_between(-1, &value, kind.max(self.model()), kind);
        }
        Ok(value)
    }

    /// `abs` and related functions, in the type `kind`.
    fn absolute(&mut self, value: Expr, kind: IntKind, span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let value = self.convert(value, &Type::Int(kind), span)?;
        let zero = Expr::int(0, kind, at);
        let negative = self.arithmetic(BinaryOp::Less, value.clone(), zero, Type::INT);
        let negated = self.unary(UnaryOp::Negate, value.clone(), Type::Int(kind), at);
        let kinds = ExprKind::Conditional(Box::new(negative), Box::new(negated), Box::new(value));
        Ok(Expr::new(kinds, Type::Int(kind), at))
    }

    /// Refuses taking the address of a function whose calls are refused.
    pub(super) fn refuse_address(&self, name: &str, span: Span) -> Lowered<()> {
        let what = match self.builtin_of(name) {
            Some(Builtin::SetJump | Builtin::LongJump) => Some(JUMPS),
            Some(Builtin::AtExit) => Some("functions that run at the end"),
            Some(Builtin::Signal | Builtin::SignalAction) => Some("signal handlers that are set through a pointer"),
            Some(Builtin::Refused(what)) => Some(what),
            _ => None,
        };
        match what {
            Some(what) => self.unsupported(span, format!("{what} (`{name}`) are not supported")),
            None => Ok(()),
        }
    }

    /// `__builtin_constant_p`: 1 for what is certainly a constant. What else counts as one depends
    /// on the compiler's optimisations.
    fn is_constant(&mut self, argument: &Node<Expression>, at: Location) -> Lowered<Expr> {
        if matches!(argument.node, Expression::Constant(_)) || self.try_constant(argument)?.is_some() {
            return Ok(Expr::int(1, IntKind::Int, at));
        }
        self.assume_that("`__builtin_constant_p` is 0 or 1 if its value depends on the compiler");
        let value = self.temporary(Type::INT, at);
        self.emit(StmtKind::Havoc(value.clone()), at);
        let value = Expr::load(value);
        self.assume_between(0, &value, 1, IntKind::Int);
        Ok(value)
    }

    /// `__builtin_add_overflow(a, b, p)` and the like: exact if the exact result is a number of
    /// `long long`, else any value.
    fn overflows(&mut self, op: BinaryOp, list: &[Node<Expression>], span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let [a, b, to] = list else { return self.wrong(span, "this builtin takes three arguments") };
        let (a, b, pointer) = (self.rvalue(a)?, self.rvalue(b)?, self.rvalue(to)?);
        let place = self.dereference(pointer, at);
        let narrow = |ty: &Type| matches!(ty, Type::Int(kind) if kind.width(self.model()) <= 32);
        let unsigned = |ty: &Type| matches!(ty, Type::Int(kind) if !kind.is_signed() && kind.width(self.model()) == 32);
        let fits = narrow(&a.ty) && narrow(&b.ty) && !(op == BinaryOp::Mul && unsigned(&a.ty) && unsigned(&b.ty));
        if !fits || !matches!(place.ty, Type::Int(_)) {
            self.emit(StmtKind::Havoc(place), at);
            let value = self.temporary(Type::INT, at);
            self.emit(StmtKind::Havoc(value.clone()), at);
            let value = Expr::load(value);
            self.assume_between(0, &value, 1, IntKind::Int);
            return Ok(value);
        }
        let wide = Type::Int(IntKind::LongLong);
        let (a, b) = (self.convert(a, &wide, span)?, self.convert(b, &wide, span)?);
        let exact = self.temporary(wide.clone(), at);
        let result = self.arithmetic(op, a, b, wide.clone());
        self.emit(StmtKind::Assign(exact.clone(), result), at);
        let stored = self.convert(Expr::load(exact.clone()), &place.ty, span)?;
        let kept = self.temporary(place.ty.clone(), at);
        self.emit(StmtKind::Assign(kept.clone(), stored), at);
        self.emit(StmtKind::Assign(place, Expr::load(kept.clone())), at);
        let zero = Expr::int(0, IntKind::LongLong, at);
        // The conversion back is exact but for the widest type without sign. It holds all numbers
        // of `long long` that are not negative.
        Ok(match kept.ty {
            Type::Int(kind) if !kind.is_signed() && kind.width(self.model()) == 64 => {
                self.arithmetic(BinaryOp::Less, Expr::load(exact), zero, Type::INT)
            }
            _ => {
                let kept = self.convert(Expr::load(kept), &wide, span)?;
                self.arithmetic(BinaryOp::NotEqual, kept, Expr::load(exact), Type::INT)
            }
        })
    }

    /// Assumes that the value is between two constants, both included; all three have the type
    /// `kind`.
    pub(super) fn assume_between(&mut self, least: i128, value: &Expr, most: i128, kind: IntKind) {
        let at = value.location;
        let low = self.arithmetic(BinaryOp::LessEqual, Expr::int(least, kind, at), value.clone(), Type::INT);
        let high = self.arithmetic(BinaryOp::LessEqual, value.clone(), Expr::int(most, kind, at), Type::INT);
        let range = ExprKind::And(Box::new(low), Box::new(high));
        self.emit(StmtKind::Assume(Expr::new(range, Type::INT, at)), at);
    }

    /// Lists the assumption about functions that get pointers to memory: nothing checks how far
    /// they read or write. (Text that is written there is assumed to fit, and a function that gets
    /// a struct knows its size.)
    pub(super) fn trust_pointers(&mut self, name: &str, list: &[Node<Expression>]) -> Lowered<()> {
        for e in list.iter().filter(|e| !matches!(e.node, Expression::StringLiteral(_))) {
            if self.is_given_memory(name, e)? {
                let sentence =
                    "a library function reads and writes only inside the objects that it is given, and these are alive";
                self.assume_that(Assumption::about(sentence, name));
            }
        }
        Ok(())
    }

    /// Whether the argument is a pointer to memory without a known end, null included.
    fn is_given_memory(&mut self, name: &str, e: &Node<Expression>) -> Lowered<bool> {
        Ok(match self.type_of(e)?.ty {
            Type::Pointer(to) | Type::Array(to, _) => matches!(*to, Type::Void | Type::Int(_)),
            Type::Int(_) => self.try_constant(e)? == Some(0) && takes_pointers(name),
            _ => false,
        })
    }

    /// Whether a function that only reads texts gets elements of `argv` in `main`, and otherwise
    /// literals and constants. C says that these are texts (C11, 5.1.2.2.1) of any length, so the
    /// model would only ask for a proof of what is given.
    pub(super) fn reads_arguments_of_main(&self, name: &str, list: &[Node<Expression>]) -> bool {
        let is_main = |f: &super::context::FunctionState| f.name == "main";
        let is_argument = |e: &Node<Expression>| match &e.node {
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => match &b.node.lhs.node {
                Expression::Identifier(array) => match self.lookup(&array.node.name) {
                    Some(Symbol::Variable(v)) => {
                        let array = self.program.variable(*v);
                        let ends = array.ty.pointee().and_then(Type::pointee);
                        array.storage == Storage::Parameter && matches!(ends, Some(Type::Int(_)))
                    }
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        builtin(name) == Some(Builtin::Quiet)
            && self.function.as_ref().is_some_and(is_main)
            && list.iter().any(is_argument)
            && list
                .iter()
                .all(|e| is_argument(e) || matches!(e.node, Expression::StringLiteral(_) | Expression::Constant(_)))
    }

    /// Evaluates an argument that is only read, and presumes that what it points to exists.
    pub(super) fn hand_on(&mut self, name: &str, n: usize, list: &[Node<Expression>]) -> Lowered<()> {
        let e = &list[n];
        let is_literal = matches!(e.node, Expression::StringLiteral(_));
        let compared = name.ends_with("memcmp") && n < 2 && list.len() == 3;
        if is_literal || !self.is_given_memory(name, e)? || !(compared || self.is_read_as_text(name, n, list)) {
            return self.argument_handed(e);
        }
        let at = self.at(e.span);
        let value = self.rvalue(e)?;
        self.handed(value.clone());
        let value = self.convert(value, &Type::Void.pointer_to(), e.span)?;
        let presumption = if compared {
            let count = self.unevaluated(|l| l.rvalue(&list[2]))?;
            let count = self.convert(count, &self.difference_type(), list[2].span)?;
            Presumption::Readable(Box::new(Blocks { to: value, from: None, count, unit: 1 }))
        } else {
            Presumption::Text(value)
        };
        self.emit(StmtKind::Presume(presumption), at);
        Ok(())
    }

    /// Emits and lists an assumption that only runs can check.
    pub(super) fn presume(&mut self, presumption: Presumption, at: Location) {
        self.assume_that(presumption.assumption());
        self.emit(StmtKind::Presume(presumption), at);
    }

    /// Lists the assumptions about numbers and addresses that leave the program and come back.
    pub(super) fn note_traffic(&mut self, name: &str, list: &[Node<Expression>], span: Span) -> Lowered<()> {
        if name.ends_with("srand") || name.ends_with("srandom") {
            self.presume(Presumption::Seeded, self.at(span));
        }
        if name.ends_with("scanf") {
            self.traffic.reads = true;
        } else if name.ends_with("printf") {
            for e in list {
                let ty = self.type_of(e)?.ty;
                let is_text = matches!(ty.pointee(), Some(Type::Int(kind)) if kind.width(self.model()) == 8);
                self.traffic.prints_addresses |= matches!(ty, Type::Pointer(_)) && !is_text;
            }
        }
        if self.traffic.reads && self.traffic.prints_addresses {
            self.assume_that("addresses that are printed are not read back");
        }
        Ok(())
    }

    /// Any value of the type that the function returns.
    pub(super) fn any_value(&mut self, name: &str, usage: Use<'_>, span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let ty = match self.lookup(name) {
            Some(Symbol::Function(id)) => self.functions[id.0 as usize].signature.result.ty.clone(),
            _ if returns_double(name) => Type::Float(FloatKind::Double),
            _ if FLOATS.contains(&name) => Type::Float(match name.as_bytes().last() {
                Some(b'f') if name != "__builtin_inf" => FloatKind::Float,
                Some(b'l') if name != "__builtin_huge_val" => FloatKind::LongDouble,
                _ => FloatKind::Double,
            }),
            _ => Type::Int(match name {
                "__builtin_bswap16" => IntKind::UShort,
                "__builtin_bswap32" => IntKind::UInt,
                "__builtin_bswap64" if self.model().pointer_width() == 64 => IntKind::ULong,
                "__builtin_bswap64" => IntKind::ULongLong,
                "strlen" | "__builtin_strlen" => self.model().size_type(),
                _ => IntKind::Int,
            }),
        };
        if usage.dropped || ty == Type::Void {
            return Ok(super::expressions::void(at));
        }
        let value = self.temporary(ty, at);
        self.emit(StmtKind::Havoc(value.clone()), at);
        Ok(Expr::load(value))
    }
}

/// Builtins for floating values that are no finite numbers.
const FLOATS: [&str; 9] = [
    "__builtin_nan",
    "__builtin_nanf",
    "__builtin_nanl",
    "__builtin_inf",
    "__builtin_inff",
    "__builtin_infl",
    "__builtin_huge_val",
    "__builtin_huge_valf",
    "__builtin_huge_vall",
];

/// Whether the function takes nothing but pointers.
fn takes_pointers(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    matches!(plain, "puts" | "strlen" | "strcmp" | "strcasecmp" | "atoi" | "atol" | "atoll" | "atof" | "perror")
}

/// Whether the compiler knows a function as one that returns a `double`, declared or not.
fn returns_double(name: &str) -> bool {
    matches!(
        name.strip_prefix("__builtin_").unwrap_or(name),
        "sqrt" | "pow" | "fabs" | "floor" | "ceil" | "sin" | "cos" | "tan" | "exp" | "log" | "fmod" | "round"
    )
}
