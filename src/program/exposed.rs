//! What code that is not there may reach: variables and functions.

use super::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, Lvalue, Origin, Outside, Part, Program, StmtKind, Type, Use,
    VarId, each_expr, each_part,
};
use std::collections::BTreeSet;

impl Program {
    /// The variables that an unknown address may point to: the globals, whose names other code
    /// knows, and those whose address is taken.
    pub fn exposed(&self) -> BTreeSet<VarId> {
        let mut found = self.address_taken();
        found.extend(&self.globals);
        found
    }

    /// The variables to which pointers of unknown origin may lead, and which functions of the
    /// library may change: those whose address is taken somewhere, and those that the program does
    /// not define itself. All that are [exposed](Program::exposed) where code runs that may know
    /// other names of the program.
    pub fn addressed(&self) -> BTreeSet<VarId> {
        if self.are_names_known() {
            return self.exposed();
        }
        let mut found = self.address_taken();
        found.extend(&self.elsewhere);
        found
    }

    /// Whether code runs that may know globals of the program by their names: functions that other
    /// files define, and what is loaded while the program runs.
    fn are_names_known(&self) -> bool {
        let is_foreign = |f: &FunctionId| {
            let function = self.function(*f);
            function.body.is_none() && (!self.is_of_library(function) || function.name == "dlsym")
        };
        let mut found = self.alone || self.address_taken_functions().iter().any(is_foreign);
        self.each_stmt(|s| {
            found |= match &s.kind {
                StmtKind::Call { callee: Callee::Function(f), .. } => is_foreign(f),
                StmtKind::HavocReachable(reached) => reached.bytes.is_none() && !reached.is_own,
                _ => false,
            };
        });
        found
    }

    /// Whether a function is one of the library: a header of the system declares it, and no file of
    /// the program defines it. Such a function knows variables by their addresses only.
    pub fn is_of_library(&self, function: &Function) -> bool {
        let is_own = self.sources.file(function.location.file).own;
        function.body.is_none() && function.origin != Origin::Contract && !is_own
    }

    /// Whether functions of the program are handed to functions of the library, which may call
    /// them: as such, or in structs.
    pub fn hands_functions(&self) -> bool {
        let mut found = false;
        self.each_stmt(|s| {
            if let StmtKind::Call { callee: Callee::Function(f), arguments, .. } = &s.kind {
                let function = self.function(*f);
                found |= self.is_of_library(function) && arguments.iter().any(|e| self.may_hold_functions(e));
            }
        });
        found
    }

    /// The parameter of the entry that says how many texts there are in the array that it gets, if
    /// it never changes.
    pub fn count_of_texts(&self) -> Option<VarId> {
        let (count, _) = self.texts_of_entry()?;
        let mut changes = false;
        self.each_stmt(|s| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Write | Use::Address) = part {
                    changes |= *v == count;
                }
            });
        });
        (!changes).then_some(count)
    }

    /// The parameters of the entry that are a number of texts and the array of them, if it gets
    /// texts.
    pub fn texts_of_entry(&self) -> Option<(VarId, VarId)> {
        let [count, texts] = self.function(self.entry).parameters[..] else { return None };
        let is_told = self.outside.get(&texts) == Some(&Outside::Texts) && self.variable(count).ty == Type::INT;
        is_told.then_some((count, texts))
    }

    fn may_hold_functions(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::FunctionAddress(_) => true,
            ExprKind::Cast(from) if self.may_hold_functions(from) => true,
            _ => self.leads_to_functions(&e.ty, &mut BTreeSet::new()),
        }
    }

    /// Whether a value of that type is the address of a function, or leads to one.
    fn leads_to_functions(&self, ty: &Type, seen: &mut BTreeSet<u32>) -> bool {
        match ty {
            Type::Function => true,
            Type::Pointer(to) | Type::Array(to, _) => self.leads_to_functions(to, seen),
            Type::Struct(id) if seen.insert(id.0) => {
                self.structs[id.0 as usize].members.iter().any(|member| self.leads_to_functions(&member.ty, seen))
            }
            _ => false,
        }
    }

    /// The variables whose address some expression takes.
    pub fn address_taken(&self) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        self.each_stmt(|s| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Address) = part {
                    found.insert(*v);
                }
            });
        });
        found
    }

    /// The functions whose address some expression takes.
    pub fn address_taken_functions(&self) -> BTreeSet<FunctionId> {
        let mut found = BTreeSet::new();
        self.each_stmt(|s| {
            each_expr(s, &mut |e| {
                if let ExprKind::FunctionAddress(f) = e.kind {
                    found.insert(f);
                }
            });
        });
        found
    }
}
