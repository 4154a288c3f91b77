//! Lists assumptions about undefined behaviour that no obligation covers, if a program could break
//! them. A replay ends where one is broken (`src/interpreter`), except for conversions of floating
//! values, which runs do not track.

use super::context::Lowerer;
use crate::program::{
    Base, Block, CONSTANTS_STAY, Callee, Expr, ExprKind, FunctionId, IntKind, LITERALS_STAY, LabelId, Lvalue, Part,
    Program, RESULTS_ARE_RETURNED, Step, Stmt, StmtKind, Type, Use, VarId, each_part, each_stmt,
};
use std::collections::HashSet;

impl Lowerer<'_> {
    /// Lists the assumptions that unchecked operations are defined. The program must be complete.
    pub(super) fn note_undefined(&mut self) {
        let floats = self.program.where_needed(
            "a floating value that is converted to an integer type that cannot hold it becomes any value of the type",
            |s| self.converts_floats(s),
        );
        let addresses = self.program.where_needed(
            "an address that is converted to an integer type that cannot hold it becomes any value of the type",
            |s| self.cuts_addresses(s),
        );
        for assumption in [floats, addresses].into_iter().flatten() {
            self.assume_that(assumption);
        }
        if self.disguises_truth() {
            self.assume_that("objects of type `_Bool` hold 0 or 1, whatever is written to their bytes");
        }
        if self.uses_results_that_may_be_missing() {
            self.assume_that(RESULTS_ARE_RETURNED);
        }
        if writes_constants(&self.program) {
            self.assume_that(CONSTANTS_STAY);
        }
    }

    /// The assumption that a statement breaks by writing to a `const` object outside of its
    /// initialiser, or to a literal. (Stores through pointers are found by runs.)
    pub(super) fn changes_constant(&self, s: &Stmt) -> Option<&'static str> {
        let program = &self.program;
        let mut found = None;
        each_part(s, &mut |part| {
            let Part::Lvalue(Lvalue { base: Base::Var(v), path, ty, .. }, Use::Write) = part else { return };
            if self.initialised.last() == Some(v) {
                return;
            }
            let member = path.iter().any(|step| match step {
                Step::Field(id, n) => program.structure(*id).members[*n as usize].constant,
                Step::Index(_) => false,
            });
            // A temporary may hold a struct.
            let variable = program.variable(*v);
            let whole = program.has_constant_members(ty) && !variable.is_hidden();
            if variable.constant || member || whole {
                found = Some(CONSTANTS_STAY);
            } else if program.is_literal(*v) {
                found = Some(LITERALS_STAY);
            }
        });
        found
    }

    /// Whether some value becomes an integer in such a conversion. (Truth values are never out of
    /// range.)
    fn any_cast(s: &Stmt, is_meant: impl Fn(&Expr, IntKind) -> bool) -> bool {
        let mut found = false;
        each_part(s, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Cast(from), ty: Type::Int(kind), .. }) = part {
                found |= *kind != IntKind::Bool && is_meant(from, *kind);
            }
        });
        found
    }

    /// Whether floating values become integers.
    fn converts_floats(&self, s: &Stmt) -> bool {
        Self::any_cast(s, |from, kind| matches!(from.ty, Type::Float(_)) && !self.fits(from, kind))
    }

    /// Whether addresses become integers that are narrower.
    fn cuts_addresses(&self, s: &Stmt) -> bool {
        let model = self.model();
        let narrow = |kind: IntKind| kind.width(model) < model.pointer_width();
        Self::any_cast(s, |from, kind| matches!(from.ty, Type::Pointer(_)) && narrow(kind))
    }

    /// Whether truth values may be accessed as another type, or another type as truth values.
    fn disguises_truth(&self) -> bool {
        let program = &self.program;
        let has_truth = |ty: &Type| has_truth(program, ty);
        let (mut found, mut untyped, mut typed) = (false, false, false);
        program.each_stmt(|s| {
            each_part(s, &mut |part| match part {
                Part::Expr(Expr { kind: ExprKind::Cast(from), ty: Type::Pointer(to), .. }) => match from.ty.pointee() {
                    Some(Type::Void) => typed |= !has_truth(to),
                    Some(from) if **to == Type::Void => untyped |= has_truth(from),
                    Some(from) => found |= has_truth(from) != has_truth(to),
                    None => {}
                },
                Part::Lvalue(l, _) => {
                    found |= l.path.iter().any(|step| match step {
                        Step::Field(id, _) => {
                            program.structure(*id).is_union
                                && program.structure(*id).members.iter().any(|m| has_truth(&m.ty))
                        }
                        Step::Index(_) => false,
                    });
                }
                Part::Expr(_) => {}
            });
        });
        found || (untyped && typed)
    }

    /// Whether it is a constant whose integral part fits the type.
    fn fits(&self, value: &Expr, kind: IntKind) -> bool {
        let ExprKind::Float(text) = &value.kind else { return false };
        let Ok(number) = text.trim_end_matches(['f', 'F', 'l', 'L']).parse::<f64>() else { return false };
        // The number is small enough that rounding here cannot confuse it with the limits of the
        // type.
        number.abs() < 1e6 && (kind.min(self.model())..=kind.max(self.model())).contains(&(number as i128))
    }

    /// Whether a function may end without a result although some call uses it.
    fn uses_results_that_may_be_missing(&self) -> bool {
        let mut used: HashSet<FunctionId> = HashSet::new();
        let mut through_pointer = false;
        self.program.each_stmt(|s| match &s.kind {
            StmtKind::Call { target: Some(_), callee: Callee::Function(f), .. } => _ = used.insert(*f),
            StmtKind::Call { target: Some(_), .. } => through_pointer = true,
            _ => {}
        });
        if through_pointer {
            used.extend(self.program.address_taken_functions());
        }
        used.into_iter().map(|f| self.program.function(f)).any(|f| {
            f.result != Type::Void && f.body.as_ref().is_some_and(|body| comes_to_end(body) || returns_nothing(body))
        })
    }
}

fn returns_nothing(body: &Block) -> bool {
    let mut found = false;
    each_stmt(body, &mut |s| found |= matches!(s.kind, StmtKind::Return(None)));
    found
}

/// Whether runs may reach the end of a body, as far as its text shows.
fn comes_to_end(body: &Block) -> bool {
    let mut targets = HashSet::new();
    each_stmt(body, &mut |s| {
        if let StmtKind::Goto(label) = s.kind {
            targets.insert(label);
        }
    });
    is_passed(body, &targets)
}

/// Whether runs may reach the end of a block. They may reach a label with jumps to it from
/// anywhere.
fn is_passed(block: &Block, targets: &HashSet<LabelId>) -> bool {
    let mut comes = true;
    for s in block {
        each_stmt(std::slice::from_ref(s), &mut |s| {
            comes |= matches!(s.kind, StmtKind::Label(label, _) if targets.contains(&label));
        });
        comes = comes && passes(s, targets);
    }
    comes
}

/// Whether runs may go on after a statement.
fn passes(s: &Stmt, targets: &HashSet<LabelId>) -> bool {
    let is_false = |e: &Expr| e.as_int() == Some(0);
    match &s.kind {
        StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Stop => false,
        StmtKind::Assert(e, _) | StmtKind::Assume(e) => !is_false(e),
        StmtKind::Block(b) => is_passed(b, targets),
        StmtKind::If(_, a, b) => is_passed(a, targets) || is_passed(b, targets),
        StmtKind::Loop(l) => l.condition.as_int().is_none_or(|n| n == 0) || is_left(&l.body),
        _ => true,
    }
}

/// Whether a `break` leaves the loop with that body.
fn is_left(body: &Block) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Break => true,
        StmtKind::Block(b) => is_left(b),
        StmtKind::If(_, a, b) => is_left(a) || is_left(b),
        _ => false,
    })
}

/// Whether something may be written to constants: the address of one is taken, and there are stores
/// through pointers to what it consists of, or pointers to it become other pointers.
fn writes_constants(program: &Program) -> bool {
    let is_constant = |v: VarId| {
        let variable = program.variable(v);
        !program.is_literal(v) && (variable.constant || program.has_constant_members(&variable.ty))
    };
    let mut pointed_to: HashSet<Type> = HashSet::new();
    program.each_stmt(|s| {
        each_part(s, &mut |part| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Address) = part
                && is_constant(*v)
            {
                scalars(program, &program.variable(*v).ty, &mut pointed_to);
            }
        });
    });
    if pointed_to.is_empty() {
        return false;
    }
    let is_one = |ty: &Type| {
        let mut all = HashSet::new();
        scalars(program, ty, &mut all);
        !all.is_disjoint(&pointed_to)
    };
    let (mut written, mut stored, mut disguised) = (false, false, false);
    program.each_stmt(|s| {
        each_part(s, &mut |part| match part {
            Part::Lvalue(Lvalue { base: Base::Deref(_), ty, .. }, Use::Write) => {
                stored = true;
                written |= is_one(ty);
            }
            Part::Expr(Expr { kind: ExprKind::Cast(from), ty: Type::Pointer(to), .. }) => {
                disguised |= from.ty.pointee().is_some_and(is_one) && !is_one(to);
            }
            _ => {}
        });
    });
    written || (stored && disguised)
}

/// The types of the scalars that objects of a type consist of, without signs.
fn scalars(program: &Program, ty: &Type, found: &mut HashSet<Type>) {
    match ty {
        Type::Array(element, _) => scalars(program, element, found),
        Type::Struct(id) => program.structure(*id).members.iter().for_each(|m| scalars(program, &m.ty, found)),
        Type::Int(kind) => {
            let signed = |k: &&IntKind| k.is_signed() && k.width(program.data_model) == kind.width(program.data_model);
            let all = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
            found.insert(Type::Int(all.iter().find(signed).copied().unwrap_or(*kind)));
        }
        Type::Pointer(_) => _ = found.insert(Type::Void.pointer_to()),
        Type::Float(_) => _ = found.insert(ty.clone()),
        Type::Void | Type::Function => {}
    }
}

/// Whether objects of the type are truth values, or have some inside.
fn has_truth(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Array(element, _) => has_truth(program, element),
        Type::Struct(id) => program.structure(*id).members.iter().any(|m| has_truth(program, &m.ty)),
        ty => *ty == Type::Int(IntKind::Bool),
    }
}
