//! Structs whose last array reaches to the end of the block that they stand in:
//! `struct s { int n; int d[1]; }` in a block that `malloc` made with room for more. C90 has no
//! other way to write `int d[]`, so such an array is treated as one of unknown length. Its accesses
//! then stay open, and no proof relies on them being inside the declared length.
//!
//! This is decided by type: it applies to a struct that may be in a block of any size. Blocks whose
//! size is written in whole structs (`n * sizeof(struct s)`) are arrays of them and give no room.
//!
//! If a struct is also copied, or is a variable or part of another object, its array has its
//! declared length there. One type cannot have both: if a program uses such an array in both ways,
//! nothing in it is judged.

use super::context::Lowerer;
use crate::program::{
    Assumption, Base, Callee, Expr, ExprKind, Length, Lvalue, Part, Program, Step, StmtKind, StructId, TermLvalue,
    TermStep, Type, Use, each_part,
};
use std::collections::BTreeSet;

impl Lowerer<'_> {
    /// Gives the last arrays of structs that may stand in larger blocks an unknown length.
    pub(super) fn extend_tails(&mut self) {
        let program = &self.program;
        let candidates: BTreeSet<StructId> =
            (0..program.structs.len() as u32).map(StructId).filter(|id| has_tail(program, *id)).collect();
        if candidates.is_empty() {
            return;
        }
        let mut found = Uses { roomy: self.roomy.clone(), ..Uses::default() };
        let outside = found.look_at(program);
        // A struct at the end of something with more room also has more room.
        let mut open: Vec<StructId> = found.roomy.iter().copied().collect();
        while let Some(id) = open.pop() {
            if let Some(Type::Struct(inner)) = program.structure(id).members.last().map(|m| &m.ty)
                && found.roomy.insert(*inner)
            {
                open.push(*inner);
            }
        }
        for variable in &program.variables {
            parts(program, &variable.ty, &mut found.whole);
        }
        for structure in &program.structs {
            structure.members.iter().for_each(|m| parts(program, &m.ty, &mut found.whole));
        }
        for id in candidates {
            let roomy = outside || found.roomy.contains(&id);
            if !roomy || !found.beyond.contains(&id) {
                continue;
            }
            let name = self.program.structure(id).name.clone();
            let last = self.program.structure(id).members.len() - 1;
            let member = self.program.structure(id).members[last].name.clone();
            if found.whole.contains(&id) || found.addressed.contains(&id) {
                let reason =
                    format!("`struct {name}` is used both with more room for `{member}` and with its declared size");
                self.program.gaps.objects.push(reason);
                continue;
            }
            if let Type::Array(_, length) = &mut self.program.structs[id.0 as usize].members[last].ty {
                *length = Length::Unknown;
            }
            let sentence = "the last array of a struct reaches to the end of its block, which holds one such struct";
            self.assume_that(Assumption::about(sentence, format!("{name}.{member}")));
        }
    }
}

/// Whether a struct ends with an array of one cell, which may be meant to have more. (One without
/// cells has an unknown length wherever it stands.)
///
/// A `jmp_buf` is not meant to: C has it as an array so that functions get its address (C11
/// 7.13p2). **Sound**: only functions of the library look into it, by the name of its elements,
/// which is reserved. Should a program do so, its accesses must lie in the declared length.
fn has_tail(program: &Program, id: StructId) -> bool {
    let structure = program.structure(id);
    let is_jump_buffer = |ty: &Type| matches!(ty, Type::Struct(id) if program.structure(*id).name == JUMP_BUFFER);
    match structure.members.last().map(|m| &m.ty) {
        Some(Type::Array(element, Length::Constant(1))) => !structure.is_union && !is_jump_buffer(element),
        _ => false,
    }
}

/// The tag of the elements of `jmp_buf` and `sigjmp_buf` in headers of Linux.
const JUMP_BUFFER: &str = "__jmp_buf_tag";

/// How structs are used.
#[derive(Default)]
struct Uses {
    /// Structs that may be in a block with more room.
    roomy: BTreeSet<StructId>,
    /// Structs whose last array may be accessed beyond its declared length.
    beyond: BTreeSet<StructId>,
    /// Structs that are copied, or are objects of their own.
    whole: BTreeSet<StructId>,
    /// Structs whose last array has its address taken, with its length.
    addressed: BTreeSet<StructId>,
}

impl Uses {
    /// Collects the uses in a program. Returns whether pointers to any struct may come from
    /// outside.
    fn look_at(&mut self, program: &Program) -> bool {
        let mut outside = false;
        program.each_stmt(|s| {
            each_part(s, &mut |part| match part {
                Part::Expr(e) => self.expression(program, e),
                Part::Lvalue(l, how) => self.place(program, l, how),
            });
            match &s.kind {
                StmtKind::Claim(claim) => claim.formula.each_place(&mut |place| self.claimed(program, place)),
                StmtKind::Zero(l) => parts(program, &l.ty, &mut self.whole),
                StmtKind::Havoc(l) | StmtKind::Input(l, _) => {
                    parts(program, &l.ty, &mut self.whole);
                    outside |= program.holds_pointers(&l.ty);
                }
                StmtKind::HavocReachable(_) => outside = true,
                StmtKind::Call { callee: Callee::Function(f), .. } => outside |= program.function(*f).body.is_none(),
                StmtKind::Call { callee: Callee::Pointer(_), .. } => outside = true,
                _ => {}
            }
        });
        outside
    }

    fn expression(&mut self, program: &Program, e: &Expr) {
        parts(program, &e.ty, &mut self.whole);
        if let (ExprKind::Cast(from), Some(Type::Struct(id))) = (&e.kind, e.ty.pointee()) {
            let same = from.ty == e.ty || from.as_int() == Some(0);
            if !same {
                self.roomy.insert(*id);
            }
        }
    }

    /// Notes a place in a formula, which may be about any cell.
    fn claimed(&mut self, program: &Program, place: &TermLvalue) {
        for step in &place.steps {
            if let TermStep::Field(id, field) = step
                && *field as usize + 1 == program.structure(*id).members.len()
            {
                self.beyond.insert(*id);
            }
        }
    }

    fn place(&mut self, program: &Program, l: &Lvalue, how: Use) {
        if matches!(l.base, Base::Var(_)) {
            return;
        }
        for (n, step) in l.path.iter().enumerate() {
            let Step::Field(id, field) = step else { continue };
            let is_last = *field as usize + 1 == program.structure(*id).members.len();
            if !is_last || !has_tail(program, *id) {
                continue;
            }
            match l.path.get(n + 1) {
                // This is its only cell, not a pointer that could move on.
                Some(Step::Index(i)) if how != Use::Address && i.as_int() == Some(0) => {}
                Some(_) => _ = self.beyond.insert(*id),
                None => {
                    self.beyond.insert(*id);
                    self.addressed.insert(*id);
                }
            }
        }
    }
}

/// The structs that objects of a type have inside.
fn parts(program: &Program, ty: &Type, found: &mut BTreeSet<StructId>) {
    match ty {
        Type::Array(element, _) => parts(program, element, found),
        Type::Struct(id) => {
            if found.insert(*id) {
                program.structure(*id).members.iter().for_each(|m| parts(program, &m.ty, found));
            }
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function => {}
    }
}
