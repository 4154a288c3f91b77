//! Says in C for CBMC what nothing has written, since an object began that begins without a value.
//!
//! One variable, [`UNSET`], may point to a byte that nothing has written. Where an object begins,
//! the text chooses whether [`UNSET`] is set to one of its bytes. Each write of that byte makes
//! [`UNSET`] point to nothing. A read fails if it reads that byte.
//!
//! A copy of a struct, and one by `memcpy`, also copies that nothing has written a byte. The text
//! then chooses whether [`UNSET`] stays where it is or goes to the copy.
//!
//! **Why it is sound.** If a run of the program reads a byte that nothing has written, the byte has
//! come there by copies from an object that began without a value. One run of the text chooses that
//! byte where the object begins, and follows these copies. No write of the program clears it, so
//! that the condition of the read fails there. The runs that choose nothing are cut off nowhere, so
//! that what is said of other obligations does not depend on the choices.
//!
//! If the condition fails in a run of the text, nothing has written the byte in that run, with one
//! exception. A write of a bit-field clears no byte, and a read of a bit-field reads all bytes of
//! its struct. So such a read may fail in the text alone.
//!
//! **Limits.** [`Written::unsaid`] finds what the text does not say.

use super::lifetimes;
use super::obstacles::constant_size;
use crate::program::print::Printer;
use crate::program::{
    Base, Callee, Check, CheckCondition, Expr, ExprKind, FunctionId, Lvalue, ObligationKey, Program, Step, Stmt,
    StmtKind, Type, VarId, numbered_checks_of,
};
use std::collections::BTreeSet;

/// The variable that points to a byte that nothing has written, or to [`NOTHING`].
const UNSET: &str = "smalti_unset";
/// An object that no pointer of the program points to.
const NOTHING: &str = "smalti_set";
/// Which struct of those that are passed to a function has the byte: the number of the argument,
/// from 1 on, or 1 for the result. 0 if none has it.
const PASSED: &str = "smalti_passed";
/// Where in that struct the byte is.
const PLACE: &str = "smalti_place";

/// Where bytes may be that nothing has written.
pub(super) struct Written {
    /// The variables that may have such bytes.
    lacking: BTreeSet<VarId>,
    /// Whether pointers may lead to such bytes.
    reached: bool,
    /// Whether it matters what heap blocks lack.
    blocks: bool,
}

/// What a program reads and copies.
#[derive(Default)]
struct Uses {
    /// The variables that the reads name that are asked about.
    named: BTreeSet<VarId>,
    /// Whether one of these reads follows a pointer.
    follow: bool,
    /// The variables to which something is copied that may lack a value.
    copied: BTreeSet<VarId>,
    /// Whether there are such copies.
    copies: bool,
    /// Whether such a copy is written through a pointer.
    anywhere: bool,
}

/// Bytes of an object.
struct Bytes {
    address: String,
    size: String,
    /// Whether they are those of the lvalue alone. Those of a bit-field are not.
    exact: bool,
}

impl Written {
    /// For the reads that are asked about.
    pub(super) fn new(program: &Program, is_asked: impl Fn(ObligationKey) -> bool) -> Written {
        let mut uses = Uses::default();
        program.each_stmt(|s| {
            uses.copies(program, s);
            let checks = numbered_checks_of(program, s);
            checks.iter().filter(|(n, _)| is_asked(ObligationKey::Check(s.site, *n))).for_each(|(_, c)| uses.read(c));
        });
        let exposed = program.address_taken();
        let mut lacking = program.unset.read.clone();
        if uses.copies {
            let parameters = program.functions.iter().flat_map(|f| &f.parameters);
            lacking.extend(parameters.filter(|v| !program.variable(**v).ty.is_scalar()));
            lacking.append(&mut uses.copied);
            lacking.extend(exposed.iter().filter(|_| uses.anywhere));
        } else {
            // What an object lacks stays there, and matters only if it is read there.
            lacking.retain(|v| uses.named.contains(v) || uses.follow && exposed.contains(v));
        }
        let blocks = (uses.copies || uses.follow) && !program.unset.blocks.is_empty();
        let reached = blocks || !lacking.is_disjoint(&exposed);
        Written { lacking, reached, blocks }
    }

    /// What the text does not say.
    pub(super) fn unsaid(&self, program: &Program) -> Option<String> {
        let mut found = None;
        program.each_stmt(|s| {
            let why = match &s.kind {
                StmtKind::Presume(presumption) => lifetimes::from_outside(presumption),
                StmtKind::Call { target: Some(to), .. } if to.as_var().is_none() && self.may_lack(to) => {
                    Some("a call writes its result to a part of an object")
                }
                _ => values(s).any(|e| parts(e).is_none()).then_some("a struct is computed in an unknown way"),
            };
            if let Some(why) = why {
                found.get_or_insert_with(|| format!("{why} ({})", program.sources.describe(s.location)));
            }
        });
        found
    }

    fn may_lack(&self, l: &Lvalue) -> bool {
        match &l.base {
            Base::Var(v) => self.lacking.contains(v),
            Base::Deref(_) => self.reached,
        }
    }

    /// Where a variable begins.
    pub(super) fn declared(&self, printer: &Printer<'_>, v: VarId) -> Option<String> {
        if !self.lacking.contains(&v) {
            return None;
        }
        let program = printer.program();
        let object = Lvalue::var(program, v, program.variable(v).location);
        if program.unset.variables.contains(&v) {
            return Some(begins(printer, &printer.address(&object), most_bytes(program, &object.ty)));
        }
        Some(bytes(printer, &object).cleared())
    }

    /// Where a heap block begins that the allocation makes, of elements whose number may be known.
    pub(super) fn allocated(
        &self,
        printer: &Printer<'_>,
        allocation: &Stmt,
        block: &str,
        (element, count): (&Type, Option<u64>),
    ) -> Option<String> {
        let is_unset = self.blocks && printer.program().unset.blocks.contains(&allocation.site);
        let most = most_bytes(printer.program(), element).zip(count).map(|(size, count)| size.saturating_mul(count));
        is_unset.then(|| begins(printer, block, most))
    }

    /// Lines before a statement, after its checks: what it will have written. Calls write their
    /// results later.
    pub(super) fn before(&self, printer: &Printer<'_>, stmt: &Stmt) -> Vec<String> {
        let unset = &printer.program().unset;
        match &stmt.kind {
            StmtKind::Havoc(l) if l.as_var().is_some_and(|v| unset.jumped_over.contains(&v)) => {
                // The object begins here.
                l.as_var().and_then(|v| self.declared(printer, v)).into_iter().collect()
            }
            StmtKind::Assign(to, value) if !to.ty.is_scalar() || unset.copied(stmt).is_some() => {
                self.copied(printer, to, value)
            }
            StmtKind::Assign(l, _)
            | StmtKind::Input(l, _)
            | StmtKind::Zero(l)
            | StmtKind::Havoc(l)
            | StmtKind::Allocate { target: l, .. } => self.written(printer, l).into_iter().collect(),
            // Unknown code may write everything. Nothing is proved then, see the obstacles.
            StmtKind::HavocReachable(_) => vec![format!("{UNSET} = &{NOTHING};")],
            StmtKind::Call { .. } | StmtKind::Return(_) => self.passed(printer, stmt),
            _ => Vec::new(),
        }
    }

    fn written(&self, printer: &Printer<'_>, l: &Lvalue) -> Option<String> {
        let bytes = self.may_lack(l).then(|| bytes(printer, l))?;
        bytes.exact.then(|| bytes.cleared())
    }

    fn copied(&self, printer: &Printer<'_>, to: &Lvalue, value: &Expr) -> Vec<String> {
        let Some(from) = self.source(printer, value) else {
            return self.written(printer, to).into_iter().collect();
        };
        if !self.may_lack(to) {
            return Vec::new();
        }
        let (target, name) = (bytes(printer, to), printer.fresh("moves"));
        let place = if from.exact && target.exact && to.ty == value.ty { from.place() } else { "0".to_owned() };
        let goes = format!("{UNSET} = (char *){} + {place};", target.address);
        let otherwise = if target.exact { format!(" else {}", target.cleared()) } else { String::new() };
        let holds = from.hold();
        vec![format!("{{ unsigned char {name}; if ({holds}) {{ if ({name}) {goes} }}{otherwise} }}")]
    }

    /// The structs that a statement passes to a function or returns.
    fn passed(&self, printer: &Printer<'_>, stmt: &Stmt) -> Vec<String> {
        let mut lines = Vec::new();
        for (n, value) in values(stmt).enumerate() {
            if value.ty.is_scalar() {
                continue;
            }
            if lines.is_empty() {
                lines.push(format!("{PASSED} = 0;"));
            }
            if let Some(from) = self.source(printer, value) {
                let name = printer.fresh("moves");
                lines.push(format!(
                    "{{ unsigned char {name}; if ({name} && {}) {{ {PASSED} = {}; {PLACE} = {}; }} }}",
                    from.hold(),
                    n + 1,
                    from.place()
                ));
            }
        }
        lines
    }

    /// The first lines of a function: what its parameters lack.
    pub(super) fn entered(&self, printer: &Printer<'_>, function: FunctionId) -> Vec<String> {
        let program = printer.program();
        let parameters = program.function(function).parameters.iter().enumerate();
        let lacking = parameters.filter(|(_, v)| self.lacking.contains(v) && !program.variable(**v).ty.is_scalar());
        let arrives = |(n, v): (usize, &VarId)| {
            format!("if ({PASSED} == {}) {UNSET} = (char *)&{} + {PLACE};", n + 1, printer.variable(*v))
        };
        lacking.map(arrives).collect()
    }

    /// Lines after a call: what its result lacks.
    pub(super) fn returned(&self, printer: &Printer<'_>, callee: &Callee, target: &Lvalue) -> Option<String> {
        let has_body = |f: FunctionId| printer.program().function(f).body.is_some();
        match callee {
            Callee::Function(f) if !has_body(*f) => return self.written(printer, target),
            _ if target.ty.is_scalar() => return self.written(printer, target),
            _ => {}
        }
        let result = self.may_lack(target).then(|| bytes(printer, target))?;
        let goes = format!("{UNSET} = (char *){} + {PLACE};", result.address);
        Some(format!("if ({PASSED}) {goes} else {}", result.cleared()))
    }

    /// The bytes of a value, if it may lack some.
    fn source(&self, printer: &Printer<'_>, value: &Expr) -> Option<Bytes> {
        let parts = parts(value).filter(|parts| parts.iter().any(|l| self.may_lack(l)))?;
        let address = address(printer, value)?;
        match parts.as_slice() {
            [only] => Some(Bytes { address, ..bytes(printer, only) }),
            _ => Some(Bytes { address, size: format!("sizeof({})", printer.type_name(&value.ty)), exact: true }),
        }
    }
}

impl Uses {
    /// Notes a read that is asked about.
    fn read(&mut self, check: &Check<'_>) {
        match check.condition {
            CheckCondition::Written { lvalue: Lvalue { base: Base::Var(v), .. } } => _ = self.named.insert(*v),
            CheckCondition::Written { .. } => self.follow = true,
            _ => {}
        }
    }

    /// Notes what a statement copies with what it lacks.
    fn copies(&mut self, program: &Program, stmt: &Stmt) {
        let copied = program.unset.copied(stmt).is_some();
        self.copies |= values(stmt).any(|e| !e.ty.is_scalar());
        let (StmtKind::Assign(to, _) | StmtKind::Call { target: Some(to), .. }) = &stmt.kind else { return };
        match to.base {
            _ if to.ty.is_scalar() && !copied => {}
            // A value that is dropped goes to a variable that nothing reads.
            Base::Var(v) if to.ty.is_scalar() && program.variable(v).origin.is_temporary() => {}
            Base::Var(v) => {
                self.copies = true;
                self.copied.insert(v);
            }
            Base::Deref(_) => {
                self.copies = true;
                self.anywhere = true;
            }
        }
    }
}

impl Bytes {
    /// Where [`UNSET`] is in them.
    fn place(&self) -> String {
        format!("(__CPROVER_size_t)(__CPROVER_POINTER_OFFSET({UNSET}) - __CPROVER_POINTER_OFFSET({}))", self.address)
    }

    /// Whether [`UNSET`] points to one of them.
    fn hold(&self) -> String {
        format!("__CPROVER_same_object({}, {UNSET}) && {} < {}", self.address, self.place(), self.size)
    }

    fn cleared(&self) -> String {
        format!("if ({}) {UNSET} = &{NOTHING};", self.hold())
    }
}

/// The declarations that the conditions need.
pub(super) fn declarations() -> Vec<String> {
    vec![
        format!("static char {NOTHING};"),
        format!("static char *{UNSET} = &{NOTHING};"),
        format!("static unsigned int {PASSED};"),
        format!("static __CPROVER_size_t {PLACE};"),
    ]
}

/// The condition of a read: something has written what it reads.
pub(super) fn needed(printer: &Printer<'_>, read: &Lvalue) -> String {
    format!("!({})", bytes(printer, read).hold())
}

/// An upper bound of the size of objects of a type, if it does not depend on the run.
fn most_bytes(program: &Program, ty: &Type) -> Option<u64> {
    constant_size(program, ty).filter(|_| !ty.has_variable_size())
}

/// The statement that may choose a byte of an object that begins, which has at most so many bytes.
fn begins(printer: &Printer<'_>, object: &str, most: Option<u64>) -> String {
    let name = printer.fresh("byte");
    // The fewer values there are to choose from, the less a solver has to do. One at least must
    // choose nothing: otherwise no run keeps a byte of an object that began before.
    let ty = match most {
        Some(..=0xff) => "unsigned char",
        Some(..=0xffff) => "unsigned short",
        _ => "__CPROVER_size_t",
    };
    format!("{{ {ty} {name}; if ({name} < __CPROVER_OBJECT_SIZE({object})) {UNSET} = (char *){object} + {name}; }}")
}

/// The bytes of an lvalue; for a bit-field, those of the struct around it.
fn bytes(printer: &Printer<'_>, l: &Lvalue) -> Bytes {
    let size = |ty: &Type| format!("sizeof({})", printer.type_name(ty));
    if let [around @ .., Step::Field(id, n)] = l.path.as_slice()
        && printer.program().structure(*id).members.get(*n as usize).is_some_and(|m| m.bits.is_some())
    {
        let whole = Lvalue { path: around.to_vec(), ty: Type::Struct(*id), ..l.clone() };
        return Bytes { address: printer.address(&whole), size: size(&whole.ty), exact: false };
    }
    Bytes { address: printer.address(l), size: size(&l.ty), exact: true }
}

/// The values that a statement copies, passes or returns.
fn values(stmt: &Stmt) -> impl Iterator<Item = &Expr> {
    let (one, all) = match &stmt.kind {
        StmtKind::Assign(_, value) | StmtKind::Return(Some(value)) => (Some(value), &[][..]),
        StmtKind::Call { arguments, .. } => (None, arguments.as_slice()),
        _ => (None, &[][..]),
    };
    one.into_iter().chain(all)
}

/// The objects of which a struct is a copy, or the object that a scalar is read from. `None` for a
/// struct of an unknown form.
fn parts(value: &Expr) -> Option<Vec<&Lvalue>> {
    Some(match &value.kind {
        ExprKind::Load(l) => vec![l],
        _ if value.ty.is_scalar() => Vec::new(),
        ExprKind::Cast(a) => parts(a)?,
        ExprKind::Conditional(_, a, b) => parts(a)?.into_iter().chain(parts(b)?).collect(),
        _ => return None,
    })
}

/// The address of the object that a value is a copy of.
fn address(printer: &Printer<'_>, value: &Expr) -> Option<String> {
    Some(match &value.kind {
        ExprKind::Load(l) => bytes(printer, l).address,
        ExprKind::Cast(a) => address(printer, a)?,
        ExprKind::Conditional(c, a, b) => {
            format!("({} ? (char *){} : (char *){})", printer.operand(c), address(printer, a)?, address(printer, b)?)
        }
        _ => return None,
    })
}
