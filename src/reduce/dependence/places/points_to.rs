//! Computes what pointers may point to: every assignment is applied until nothing changes (Andersen
//! 1994; see [`super`]).

use super::views::{addresses_become_numbers, element, may_be_address};
use super::{Objects, Places, address_taken_functions, callees, each_block, is_opaque};
use crate::program::{
    Base, Callee, Expr, ExprKind, FunctionId, Length, Lvalue, Part, Step, Stmt, StmtKind, Type, Use, VarId,
    each_part_of_expr, each_stmt,
};

impl<'p> Places<'p> {
    /// The objects that a pointer may lead to.
    pub(super) fn targets(&self, pointer: &Expr) -> Objects {
        let mut found = Objects::new();
        self.add_targets(pointer, &mut found);
        if found.is_empty() {
            // The pointer comes from outside, or is null.
            found.insert(self.unknown_memory());
        }
        self.objects_among(found)
    }

    /// Replaces the objects that stand for sets by their members.
    pub(super) fn objects_among(&self, mut found: Objects) -> Objects {
        if found.remove(&self.unknown_code()) {
            found.extend(self.points_to[self.unknown_code()].iter().filter(|&&o| o != self.unknown_code()));
            found.insert(self.unknown_memory());
        }
        if found.remove(&self.untracked()) {
            found.extend(&self.exposed);
        }
        if found.contains(&self.unknown_memory()) {
            found.extend(self.program.globals.iter().map(|g| g.0 as usize));
        }
        found
    }

    /// Adds what the value of an expression may point to.
    fn add_targets(&self, e: &Expr, found: &mut Objects) {
        each_part_of_expr(e, &mut |part| match part {
            Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Address) => {
                found.insert(v.0 as usize);
            }
            Part::Lvalue(l, Use::Read | Use::Write) => {
                match &l.base {
                    Base::Var(v) => found.extend(&self.points_to[v.0 as usize]),
                    Base::Deref(pointer) => {
                        self.targets(pointer).iter().for_each(|&object| found.extend(&self.points_to[object]));
                    }
                }
                if self.program.holds_pointers(&l.ty) && !self.other_views(l).is_empty() {
                    found.insert(self.untracked());
                }
            }
            Part::Expr(Expr { kind: ExprKind::Cast(number), ty: Type::Pointer(_), .. }) if may_be_address(number) => {
                found.insert(self.untracked());
            }
            Part::Lvalue(..) | Part::Expr(_) => {}
        });
    }

    fn add(&mut self, object: usize, more: &Objects) -> bool {
        let before = self.points_to[object].len();
        self.points_to[object].extend(more);
        self.points_to[object].len() != before
    }

    /// Notes that a stored value may be what the lvalue points to.
    fn store(&mut self, l: &Lvalue, more: &Objects) -> bool {
        match &l.base {
            Base::Var(v) => self.add(v.0 as usize, more),
            Base::Deref(pointer) => {
                let objects = self.targets(pointer);
                objects.into_iter().fold(false, |changed, o| self.add(o, more) | changed)
            }
        }
    }

    /// The objects that an lvalue may access through a type other than their own, or as one member
    /// of a union.
    fn other_views(&self, l: &Lvalue) -> Objects {
        let has_union = l.path.iter().any(|s| match s {
            Step::Field(id, _) => self.program.structure(*id).is_union,
            Step::Index(_) => false,
        });
        match &l.base {
            Base::Var(v) if has_union => Objects::from([v.0 as usize]),
            Base::Var(_) => Objects::new(),
            Base::Deref(pointer) => {
                let pointee = element(pointer.ty.pointee().unwrap_or(&Type::Void));
                let mut objects = self.targets(pointer);
                objects.retain(|&o| has_union || self.types[o].map(element) != Some(pointee));
                objects
            }
        }
    }

    /// Handles a number that is stored in an lvalue. If there may be a pointer there, it is now one
    /// that is not followed. (So is a pointer that is read from a place that may hold a number.)
    fn store_number(&mut self, l: &Lvalue) -> bool {
        let untracked = Objects::from([self.untracked()]);
        let holds_pointers = |o: usize| self.types[o].is_none_or(|ty| self.program.holds_pointers(ty));
        let objects: Objects = self.other_views(l).into_iter().filter(|&o| holds_pointers(o)).collect();
        objects.into_iter().fold(false, |changed, o| self.add(o, &untracked) | changed)
    }

    /// Applies every assignment until nothing changes.
    pub(super) fn solve(&mut self) {
        let program = self.program;
        let (code, memory) = (self.unknown_code(), self.unknown_memory());
        let mut outside = Objects::new();
        outside.insert(memory);
        self.add(memory, &outside.clone());
        let without_size = |v: &&VarId| matches!(program.variable(**v).ty, Type::Array(_, Length::Unknown));
        let from_outside = program.globals.iter().filter(without_size);
        for v in from_outside.chain(&program.function(program.entry).parameters) {
            if !matches!(program.variable(*v).ty, Type::Int(_) | Type::Float(_)) {
                self.add(v.0 as usize, &outside.clone());
            }
        }
        let mut statements: Vec<(Option<FunctionId>, &'p Stmt)> = Vec::new();
        let mut unknown_code = false;
        each_block(program, &mut |f, block| {
            each_stmt(block, &mut |s| {
                let moves = match &s.kind {
                    StmtKind::Assign(..) | StmtKind::Allocate { .. } | StmtKind::Return(Some(_)) => true,
                    StmtKind::Input(..) | StmtKind::Havoc(_) => true,
                    StmtKind::HavocReachable(_) => {
                        unknown_code = true;
                        true
                    }
                    StmtKind::Call { callee, .. } => {
                        unknown_code |= is_opaque(program, callee);
                        true
                    }
                    _ => false,
                };
                if moves {
                    statements.push((f, s));
                }
            });
        });
        if unknown_code {
            let mut reached = outside.clone();
            reached.insert(code);
            reached.extend(program.globals.iter().map(|g| g.0 as usize));
            if addresses_become_numbers(program) {
                // Any number that unknown code sees may be one of them, in whatever way it was
                // computed.
                reached.insert(self.untracked());
            }
            self.add(code, &reached);
        }
        let taken = address_taken_functions(program);
        let mut results = vec![Objects::new(); program.functions.len()];
        loop {
            let mut changed = false;
            for &(f, s) in &statements {
                changed |= self.apply(f, s, &taken, &mut results);
            }
            if unknown_code {
                // Unknown code may store any pointer that it has in any place that it can reach.
                let mut reached = self.objects_among(self.points_to[code].clone());
                reached.remove(&code);
                let mut through = Objects::new();
                through.insert(code);
                for o in reached {
                    let more = self.points_to[o].clone();
                    changed |= self.add(code, &more) | self.add(o, &through);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Applies an assignment, or another statement that moves pointers. Returns whether something
    /// may point to more than before.
    fn apply(&mut self, function: Option<FunctionId>, s: &Stmt, taken: &[FunctionId], results: &mut [Objects]) -> bool {
        let mut value = Objects::new();
        match &s.kind {
            StmtKind::Assign(l, e) => {
                self.add_targets(e, &mut value);
                self.store(l, &value) | (may_be_address(e) && self.store_number(l))
            }
            StmtKind::Allocate { target, .. } => {
                if let Some(&object) = self.heap.get(&s.site) {
                    value.insert(object);
                }
                self.store(target, &value)
            }
            StmtKind::Input(l, _) | StmtKind::Havoc(l) if matches!(l.ty, Type::Int(_) | Type::Float(_)) => {
                self.store_number(l)
            }
            StmtKind::Input(l, _) | StmtKind::Havoc(l) => {
                // At the start, what other files define knows no addresses of this program. A
                // variable argument may be any address. So may the result of a library function
                // that was given some.
                let value = if function.is_none() { self.unknown_memory() } else { self.untracked() };
                self.store(l, &Objects::from([value]))
            }
            StmtKind::HavocReachable(reached) => self.apply_unknown(&reached.pointers),
            StmtKind::Return(Some(e)) => {
                self.add_targets(e, &mut value);
                let Some(f) = function else { return false };
                let before = results[f.0 as usize].len();
                results[f.0 as usize].extend(value);
                results[f.0 as usize].len() != before
            }
            StmtKind::Call { target, callee, arguments } => {
                self.apply_call(target.as_ref(), callee, arguments, taken, results)
            }
            _ => false,
        }
    }

    /// Passes pointers to unknown code.
    fn apply_unknown(&mut self, pointers: &[Expr]) -> bool {
        let mut value = Objects::new();
        let mut changed = false;
        for e in pointers {
            self.add_targets(e, &mut value);
            // Bytes of addresses may have been copied there.
            if matches!(e.ty, Type::Pointer(_)) {
                let objects = self.targets(e);
                let bytes = Objects::from([self.untracked()]);
                changed |= objects.into_iter().fold(false, |changed, o| self.add(o, &bytes) | changed);
            }
        }
        changed | self.add(self.unknown_code(), &value)
    }

    /// Assigns arguments to parameters, and the results of the functions that may run to the
    /// target.
    fn apply_call(
        &mut self,
        target: Option<&Lvalue>,
        callee: &Callee,
        arguments: &[Expr],
        taken: &[FunctionId],
        results: &[Objects],
    ) -> bool {
        let code = self.unknown_code();
        let opaque = is_opaque(self.program, callee);
        let mut value = Objects::new();
        let mut changed = false;
        for f in callees(self.program, callee, taken) {
            let parameters = &self.program.function(f).parameters;
            for (n, argument) in arguments.iter().enumerate() {
                let mut value = Objects::new();
                self.add_targets(argument, &mut value);
                if let Some(p) = parameters.get(n) {
                    changed |= self.add(p.0 as usize, &value);
                }
                if opaque {
                    changed |= self.add(code, &value);
                    if let Some(p) = parameters.get(n) {
                        let mut any = Objects::new();
                        any.insert(code);
                        changed |= self.add(p.0 as usize, &any);
                    }
                }
            }
            value.extend(&results[f.0 as usize]);
        }
        if opaque {
            for argument in arguments {
                let mut value = Objects::new();
                self.add_targets(argument, &mut value);
                changed |= self.add(code, &value);
            }
            value.insert(code);
        }
        if let Some(target) = target {
            changed |= self.store(target, &value);
        }
        changed
    }
}
