//! The differences between the C texts of a program.

use super::{Placement, Printer};
use crate::program::{
    Callee, Claim, Expr, ExprKind, Finding, FunctionId, InputId, IntKind, LabelId, Lvalue, Stmt, Storage, Type, VarId,
};

/// Writes the statements that C cannot express, and the additions around the others.
///
/// Every method returns whole lines (statements with their `;`), without indentation. They stand at
/// a place where a statement may stand; several statements with local declarations of their own
/// must bring their own braces. The default methods are plain C as gcc compiles it, with some
/// functions left open (`smalti_input_int()`, ...).
pub trait Dialect {
    /// Put before the names of functions with a body, globals and struct tags, so that several
    /// programs fit into one file.
    fn prefix(&self) -> &str {
        ""
    }

    /// Whether every constant and every result of an operation goes through memory, so that a
    /// compiler cannot remove an operation whose result it considers unused. For tests with
    /// sanitizers.
    fn opaque(&self) -> bool {
        false
    }

    /// The first lines of the file.
    fn prelude(&mut self, printer: &Printer<'_>) -> Vec<String> {
        let mut lines = vec!["#include <assert.h>".to_owned()];
        lines.extend(input_declarations(printer));
        lines
    }

    /// Lines after the struct types, globals and prototypes, before the first function.
    fn support(&mut self, _printer: &Printer<'_>) -> Vec<String> {
        Vec::new()
    }

    /// The first lines of `main`, before the globals are initialised.
    fn entry(&mut self, _printer: &Printer<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Gives a parameter of the entry function its arbitrary value; `name` has been declared as a
    /// local of `main`.
    fn entry_parameter(&mut self, _printer: &Printer<'_>, _parameter: VarId, name: &str) -> Vec<String> {
        vec![format!("__builtin_memset(&{name}, 0, sizeof {name});")]
    }

    /// Lines before a statement; for a loop, before each evaluation of its condition (labels,
    /// blocks and `else if` included).
    fn before(&mut self, _printer: &Printer<'_>, _stmt: &Stmt) -> Vec<String> {
        Vec::new()
    }

    /// A comment for the first line of a statement.
    fn note(&mut self, _printer: &Printer<'_>, _stmt: &Stmt) -> Option<String> {
        None
    }

    /// Gives `target` an input.
    fn input(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue, _input: InputId) -> Vec<String> {
        vec![printer.assignment(target, &format!("{}()", input_function(&target.ty)))]
    }

    /// Tells what a function of the library finds in texts.
    fn finding(&mut self, _printer: &Printer<'_>, _finding: &Finding) -> Vec<String> {
        vec![";".to_owned()]
    }

    /// Begins the storage of a variable, with arbitrary values. If it is declared at this place
    /// ([`Placement::Here`]), that line has just been written. Otherwise it has been declared at
    /// the top of the function, and may hold old values. For [`Placement::Erased`] arrays the
    /// variable is a `void *` that is to be given new storage; [`Dialect::storage`] was just used
    /// for that.
    fn declare(
        &mut self,
        _printer: &Printer<'_>,
        _stmt: &Stmt,
        _variable: VarId,
        _placement: Placement,
    ) -> Vec<String> {
        Vec::new()
    }

    /// An expression for the address of new storage of `size` bytes (a C expression), for an erased
    /// array.
    fn storage(&mut self, size: &str) -> String {
        format!("__builtin_malloc({size})")
    }

    /// Makes a new heap block of `count` elements.
    fn allocate(
        &mut self,
        printer: &Printer<'_>,
        _stmt: &Stmt,
        target: &Lvalue,
        element: &Type,
        count: &Expr,
        zeroed: bool,
    ) -> Vec<String> {
        let (count, ty) = (printer.expr(count), printer.type_name(element));
        let call = if zeroed {
            format!("__builtin_calloc({count}, sizeof({ty}))")
        } else {
            format!("__builtin_malloc({} * sizeof({ty}))", parenthesised(&count))
        };
        vec![printer.assignment(target, &call)]
    }

    /// Sets every cell of the object to 0.
    fn zero(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue) -> Vec<String> {
        vec![if target.ty.is_scalar() {
            printer.assignment(target, "0")
        } else {
            let address = printer.address(target);
            format!("__builtin_memset({address}, 0, sizeof({}));", printer.type_name(&target.ty))
        }]
    }

    /// Makes every cell of the object arbitrary.
    fn havoc(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue) -> Vec<String> {
        vec![format!("smalti_havoc({}, sizeof({}));", printer.address(target), printer.type_name(&target.ty))]
    }

    /// Makes arbitrary everything that the pointers and the globals reach.
    fn havoc_reachable(&mut self, printer: &Printer<'_>, _stmt: &Stmt, pointers: &[Expr]) -> Vec<String> {
        let arguments: String = pointers.iter().map(|p| format!(", (void *){}", printer.operand(p))).collect();
        vec![format!("smalti_havoc_reachable({}{arguments});", pointers.len())]
    }

    /// Writes a call of a function without a body, or through a pointer. `None` writes the call as
    /// C does.
    fn open_call(
        &mut self,
        _printer: &Printer<'_>,
        _stmt: &Stmt,
        _target: Option<&Lvalue>,
        _callee: &Callee,
        _arguments: &[Expr],
    ) -> Option<Vec<String>> {
        None
    }

    /// Ends runs in which the condition is 0.
    fn assume(&mut self, printer: &Printer<'_>, _stmt: &Stmt, condition: &Expr) -> Vec<String> {
        vec![format!("if (!{}) __builtin_abort();", parenthesised(&printer.expr(condition)))]
    }

    /// Asserts that the condition is not 0.
    fn assert(
        &mut self,
        printer: &Printer<'_>,
        _stmt: &Stmt,
        condition: &Expr,
        _assertion: crate::program::AssertionId,
    ) -> Vec<String> {
        vec![format!("assert({});", printer.expr(condition))]
    }

    /// Writes a specification.
    fn claim(&mut self, printer: &Printer<'_>, _stmt: &Stmt, claim: &Claim) -> Vec<String> {
        vec![format!("//@ {}", super::claim(printer.program(), claim))]
    }

    /// Ends the run.
    fn stop(&mut self, _printer: &Printer<'_>, _stmt: &Stmt) -> Vec<String> {
        vec!["__builtin_exit(0);".to_owned()]
    }

    /// The first lines of a function, after the declarations of its variables.
    fn enters(&mut self, _printer: &Printer<'_>, _function: FunctionId) -> Vec<String> {
        Vec::new()
    }

    /// Lines after a call that writes its result to `target`.
    fn returned(&mut self, _printer: &Printer<'_>, _target: &Lvalue, _callee: &Callee) -> Vec<String> {
        Vec::new()
    }

    /// Lines where control leaves the block or the function in which a variable or parameter lives.
    fn ends(&mut self, _printer: &Printer<'_>, _variable: VarId) -> Vec<String> {
        Vec::new()
    }

    /// Lines just after a label.
    fn after_label(&mut self, _printer: &Printer<'_>, _label: LabelId) -> Vec<String> {
        Vec::new()
    }

    /// Lines at the start of a loop's body (in each iteration), before the test of a `while`. For
    /// unwinding counters and the like.
    fn iteration(&mut self, _printer: &Printer<'_>, _loop_stmt: &Stmt) -> Vec<String> {
        Vec::new()
    }
}

/// C for people and for gcc; the functions `smalti_input_<type>` and `smalti_havoc` are left open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Dialect for Plain {
    fn declare(&mut self, printer: &Printer<'_>, stmt: &Stmt, variable: VarId, _placement: Placement) -> Vec<String> {
        let program = printer.program();
        // A global without an initialiser is 0 in C: one whose value is not known needs its own
        // statement.
        match program.variable(variable).storage {
            Storage::Global => self.havoc(printer, stmt, &Lvalue::var(program, variable, stmt.location)),
            _ => Vec::new(),
        }
    }
}

/// `(text)`, unless the text needs none to be an operand of any operator.
pub(super) fn parenthesised(text: &str) -> String {
    let simple = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if simple { text.to_owned() } else { format!("({text})") }
}

/// The function that a plain program calls for an input of that type.
pub(super) fn input_function(ty: &Type) -> String {
    match ty {
        Type::Int(kind) => format!("smalti_input_{}", kind.c_name().trim_start_matches('_').replace(' ', "_")),
        Type::Float(_) => "smalti_input_double".to_owned(),
        _ => "smalti_input_pointer".to_owned(),
    }
}

const INTEGERS: [IntKind; 12] = [
    IntKind::Bool,
    IntKind::Char,
    IntKind::SChar,
    IntKind::UChar,
    IntKind::Short,
    IntKind::UShort,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LongLong,
    IntKind::ULongLong,
];

/// Declares those of the open functions that the program uses.
fn input_declarations(printer: &Printer<'_>) -> Vec<String> {
    use crate::program::StmtKind;
    let mut used = std::collections::BTreeSet::new();
    let mut havocs = (false, false);
    let program = printer.program();
    program.each_stmt(|s| match &s.kind {
        StmtKind::Input(target, _) => {
            used.insert(input_function(&target.ty));
        }
        StmtKind::Havoc(_) => havocs.0 = true,
        StmtKind::Declare(v) => havocs.0 |= program.variable(*v).storage == Storage::Global,
        StmtKind::HavocReachable(_) => havocs.1 = true,
        _ => {}
    });
    let mut lines: Vec<String> = INTEGERS
        .iter()
        .map(|&kind| (kind.c_name(), input_function(&Type::Int(kind))))
        .chain([("double", "smalti_input_double".to_owned()), ("void *", "smalti_input_pointer".to_owned())])
        .filter(|(_, function)| used.contains(function))
        .map(|(ty, function)| format!("extern {ty} {function}(void);"))
        .collect();
    if havocs.0 {
        lines.push("extern void smalti_havoc(void *object, unsigned long size);".to_owned());
    }
    if havocs.1 {
        lines.push("extern void smalti_havoc_reachable(int pointers, ...);".to_owned());
    }
    lines
}

/// Whether an expression is the constant 1 or another non-zero constant.
pub(super) fn always_true(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(n) if n != 0)
}
