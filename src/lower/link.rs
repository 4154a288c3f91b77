//! Links the files into the whole program: definitions that complete each other, the entry, the
//! arguments of calls.

use super::context::{Lowered, Lowerer, Scope, Symbol};
use super::error::{InputError, InputErrorKind};
use super::signatures::similar;
use crate::program::{
    Assumption, Base, BinaryOp, Block, CALLS_AGREE, Callee, Expr, ExprKind, FunctionId, Length, Location, Loop, Lvalue,
    Origin, Outside, Part, Program, Stmt, StmtKind, Type, VarId, each_part,
};
use lang_c::ast::ExternalDeclaration;

impl Lowerer<'_> {
    /// Lowers every file and links them.
    pub(super) fn run(mut self) -> Lowered<Program> {
        self.declare_library()?;
        for (n, unit) in self.units.iter().enumerate().filter(|(_, unit)| !unit.is_library) {
            self.enter(n, Scope::default());
            self.read_annotations();
            for declaration in &unit.tree.0 {
                self.annotations_of(declaration);
                match &declaration.node {
                    ExternalDeclaration::Declaration(d) => {
                        self.declaration(d)?;
                        self.contract_of_declaration(d);
                    }
                    ExternalDeclaration::StaticAssert(a) => {
                        self.static_assert(a)?;
                        self.misplaced_contract();
                    }
                    ExternalDeclaration::FunctionDefinition(f) => {
                        self.function_definition(f)?;
                        self.annotations_left(f);
                    }
                }
            }
            self.annotations_end();
        }
        self.lower_library()?;
        self.check_linker_names()?;
        self.start_globals()?;
        if self.options.alone {
            self.free_globals();
        }
        self.program.entry = self.find_entry()?;
        self.mend_calls()?;
        self.run_at_exit();
        self.let_signals_arrive();
        self.change_what_is_jumped_over();
        self.decide_order();
        self.note_lifetimes();
        self.note_written_literals();
        self.calls_of_entry()?;
        self.overlapping_arguments();
        self.contracts_left();
        self.exits();
        self.frames();
        self.extend_tails();
        self.start_as_c_does();
        self.change_what_jumps_find();
        let kept = super::prune::prune(&mut self.program);
        self.find_callees(&kept);
        self.note_unset();
        self.note_undefined();
        self.note_unreached();
        Ok(self.program)
    }

    /// Initialises globals. Tentative definitions are zero. A variable that is only declared is
    /// defined elsewhere and may hold any value. (A variable of unknown size is never written as a
    /// whole: what no initialiser writes may hold any value.)
    fn start_globals(&mut self) -> Lowered<()> {
        let mut starts = Vec::new();
        for id in self.program.globals.clone() {
            let Some(info) = self.globals.get(&id).copied() else { continue };
            if info.initialised.is_some() {
                continue;
            }
            let variable = &mut self.program.variables[id.0 as usize];
            let (at, name) = (variable.location, variable.name.clone());
            if !info.defined {
                self.program.elsewhere.insert(id);
                let sentence = Assumption::about("an external variable exists and starts with any value", name);
                // For code that does not name it, it is memory of unknown code.
                let used = self.program.where_needed(sentence, |s| names(s, id));
                used.into_iter().for_each(|used| self.program.assume_that(used));
                if self.is_complete(&self.program.variable(id).ty) {
                    starts.push(self.starts_with_any_value(id));
                }
                continue;
            }
            if let Type::Array(_, length @ Length::Unknown) = &mut variable.ty {
                *length = Length::Constant(1);
            }
            let ty = variable.ty.clone();
            if !self.is_complete(&ty) {
                let ty = self.type_name(&ty);
                return self.fail_at(InputErrorKind::Semantic, at, format!("`{name}` has the incomplete type `{ty}`"));
            }
            let object = Lvalue::var(&self.program, id, at);
            starts.push(self.stmt(StmtKind::Zero(object), at));
        }
        starts.append(&mut self.program.initialisers);
        self.program.initialisers = starts;
        Ok(())
    }

    /// Makes a global that other code has written before. Unlike those of a new object, its
    /// pointers are not indeterminate: they lead to what other code knows.
    pub(in crate::lower) fn starts_with_any_value(&mut self, v: VarId) -> Stmt {
        let object = Lvalue::var(&self.program, v, self.program.variable(v).location);
        let at = object.location;
        let leads = self.program.holds_pointers(&object.ty);
        self.stmt(if leads { StmtKind::Havoc(object) } else { StmtKind::Declare(v) }, at)
    }

    fn find_entry(&self) -> Lowered<FunctionId> {
        let entry = &self.options.entry;
        if let Some(start) = &self.annotations.start {
            return Ok(start.id);
        }
        let has_body = |id: &FunctionId| self.program.function(*id).body.is_some();
        let linked = match self.linked.get(entry) {
            Some(Symbol::Function(id)) => Some(*id),
            _ => None,
        };
        let named = |n: &usize| self.program.functions[*n].name == *entry;
        let found = linked
            .filter(has_body)
            .or_else(|| (0..self.program.functions.len()).filter(named).map(|n| FunctionId(n as u32)).find(has_body));
        found.ok_or_else(|| {
            let error =
                InputError::new(InputErrorKind::NoEntry, format!("there is no function `{entry}` to start from"));
            let defined = self.program.functions.iter().filter(|f| f.body.is_some()).map(|f| f.name.as_str());
            let defined: Vec<&str> = defined.take(8).collect();
            if defined.is_empty() {
                error.note("no function is defined")
            } else {
                error.note(format!("functions that are defined: {}", defined.join(", ")))
            }
        })
    }

    /// Gives `main` the arguments that C promises (C11 5.1.2.2.1): a count that is not negative,
    /// and an array of strings. If the program itself calls `main`, it gets the arguments of that
    /// call.
    fn start_as_c_does(&mut self) {
        let entry = self.program.entry;
        let mut called = false;
        super::prune::each_function(&mut self.program, &mut |id| called |= *id == entry);
        if called || self.options.entry != "main" || self.options.alone {
            return;
        }
        if self.program.function(entry).parameters.len() > 2 {
            // The program may put texts of its own into the environment.
            self.program.outside.retain(|_, outside| !matches!(outside, Outside::Object(1) | Outside::Environment));
        }
        let mut promises = Vec::new();
        for p in self.program.function(entry).parameters.clone() {
            let value = Expr::load(Lvalue::var(&self.program, p, self.program.variable(p).location));
            let at = value.location;
            let (op, zero) = match &value.ty {
                Type::Int(kind) => (BinaryOp::GreaterEqual, Expr::int(0, *kind, at)),
                Type::Pointer(_) => (BinaryOp::NotEqual, Expr::new(ExprKind::Int(0), value.ty.clone(), at)),
                _ => continue,
            };
            let is_text = |ty: &Type| matches!(ty, Type::Int(kind) if kind.width(self.model()) == 8);
            if value.ty.pointee().and_then(Type::pointee).is_some_and(is_text) {
                self.program.outside.insert(p, Outside::Texts);
            }
            promises.push(self.stmt(StmtKind::Assume(Expr::binary(op, value, zero, Type::INT)), at));
        }
        if let Some(body) = &mut self.program.functions[entry.0 as usize].body {
            body.splice(0..0, promises);
        }
    }

    /// Converts the arguments of calls to the parameters of definitions that came later or were not
    /// prototypes.
    fn mend_calls(&mut self) -> Lowered<()> {
        let mut functions = std::mem::take(&mut self.program.functions);
        let bodies: Vec<Option<Block>> = functions.iter_mut().map(|f| f.body.take()).collect();
        self.program.functions = functions;
        let lowered: Vec<bool> = bodies.iter().map(Option::is_some).collect();
        for (n, body) in bodies.into_iter().enumerate() {
            if let Some(mut body) = body {
                self.mend_block(&mut body, &lowered)?;
                self.program.functions[n].body = Some(body);
            }
        }
        Ok(())
    }

    fn mend_block(&mut self, block: &mut Block, lowered: &[bool]) -> Lowered<()> {
        for s in block {
            if !self.mend(s, lowered)? {
                let (first, at) = (self.excluded(CALLS_AGREE, s.location), s.location);
                let both = self.stmt(StmtKind::Block(vec![first]), at);
                let call = std::mem::replace(s, both);
                if let StmtKind::Block(both) = &mut s.kind {
                    both.push(call);
                }
            }
        }
        Ok(())
    }

    /// `lowered` says which functions have bodies. Returns whether the call agrees with the
    /// definition.
    fn mend(&mut self, stmt: &mut Stmt, lowered: &[bool]) -> Lowered<bool> {
        match &mut stmt.kind {
            StmtKind::If(_, a, b) => {
                self.mend_block(a, lowered)?;
                self.mend_block(b, lowered)?;
            }
            StmtKind::Block(b) => self.mend_block(b, lowered)?,
            StmtKind::Loop(l) => {
                let Loop { body, step, .. } = &mut **l;
                self.mend_block(body, lowered)?;
                self.mend_block(step, lowered)?;
            }
            StmtKind::Call { target, callee: Callee::Function(id), arguments } => {
                let mut agrees = true;
                let function = self.program.function(*id);
                if let Some(t) = target.as_ref().filter(|t| !similar(&t.ty, &function.result)) {
                    if function.result != Type::Void {
                        let (a, b) = (self.type_name(&t.ty), self.type_name(&function.result));
                        let message = format!("`{}` is called as returning `{a}`, but returns `{b}`", function.name);
                        return self.fail_at(InputErrorKind::Semantic, stmt.location, message);
                    }
                    // Called without a declaration; its "result" is the arbitrary value of the
                    // temporary.
                    *target = None;
                    agrees = false;
                }
                if !lowered[id.0 as usize] {
                    return Ok(true);
                }
                let missing = self.missing_arguments(*id, arguments.len(), stmt.location);
                arguments.extend(missing.iter().map(|(value, _)| Expr::load(value.clone())));
                let function = self.program.function(*id);
                let expected = function.parameters.len();
                if arguments.len() < expected || (arguments.len() > expected && !function.variadic) {
                    let given = arguments.len();
                    let message = format!("`{}` takes {expected} arguments, but {given} are given", function.name);
                    return self.fail_at(InputErrorKind::Semantic, stmt.location, message);
                }
                for (argument, parameter) in arguments.iter_mut().zip(&function.parameters) {
                    let to = &self.program.variable(*parameter).ty;
                    if similar(&argument.ty, to) {
                        continue;
                    }
                    let scalars = argument.ty.is_scalar() && to.is_scalar();
                    if !scalars {
                        let (a, b) = (self.type_name(&argument.ty), self.type_name(to));
                        let message = format!("`{}` takes `{b}` here, not `{a}`", function.name);
                        return self.fail_at(InputErrorKind::Semantic, argument.location, message);
                    }
                    agrees &= self.agree(&argument.ty, to);
                    let at = argument.location;
                    let old = std::mem::replace(argument, Expr::new(ExprKind::Int(0), Type::INT, at));
                    *argument = old.cast(to.clone());
                }
                if !missing.is_empty() {
                    let before = missing.into_iter().flat_map(|(_, statements)| statements).collect();
                    let call = std::mem::replace(&mut stmt.kind, StmtKind::Block(before));
                    let call = self.stmt(call, stmt.location);
                    if let StmtKind::Block(block) = &mut stmt.kind {
                        block.push(call);
                    }
                }
                return Ok(agrees);
            }
            _ => {}
        }
        Ok(true)
    }

    /// Objects that hold any value, with the statements that make them, in place of the arguments
    /// that a call leaves out: the function is defined in the style of Kernighan and Ritchie, and
    /// not declared with a prototype. C leaves such a call undefined. On machines, the function
    /// finds in these parameters what happens to be there, which it often does not look at.
    fn missing_arguments(&mut self, id: FunctionId, given: usize, at: Location) -> Vec<(Lvalue, [Stmt; 2])> {
        let function = self.program.function(id);
        let left_out = function.parameters.get(given..).unwrap_or_default();
        let types: Vec<Type> = left_out.iter().map(|p| self.program.variable(*p).ty.clone()).collect();
        let is_old = self.functions[id.0 as usize].signature.parameters.is_none();
        if !is_old || types.is_empty() || !types.iter().all(Type::is_scalar) {
            return Vec::new();
        }
        let name = function.name.clone();
        self.assume_that(Assumption::about("parameters that a call gives no argument hold any value", name));
        let make = |ty: Type| {
            self.temporaries += 1;
            let name = format!("t{}", self.temporaries);
            let (object, declaration) = self.undeclared_variable(name, Origin::Temporary, ty, at);
            let any = self.stmt(StmtKind::Havoc(object.clone()), at);
            (object, [declaration, any])
        };
        types.into_iter().map(make).collect()
    }

    /// Whether an argument, after its promotion, may be passed to a parameter that the call does
    /// not know. This is allowed if it is promoted to the parameter's type, or has the same type
    /// except for the sign. Pointers may also be passed as other pointers. (C11 6.5.2.2p6)
    fn agree(&self, argument: &Type, parameter: &Type) -> bool {
        match (argument, parameter) {
            (Type::Int(a), Type::Int(p)) => {
                let p = self.promoted(*p);
                a.width(self.model()) == p.width(self.model())
            }
            (Type::Float(_), Type::Float(_)) | (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        }
    }
}

/// Whether a statement itself, not one inside it, names a variable.
fn names(s: &Stmt, variable: VarId) -> bool {
    let mut found = false;
    each_part(s, &mut |part| {
        found |= matches!(part, Part::Lvalue(l, _) if l.base == Base::Var(variable));
    });
    found
}
