//! The state of the lowering: the program so far, the scopes, the function at hand.

use super::LowerOptions;
use super::error::{InputError, InputErrorKind};
use super::order::Footprint;
use super::parse::Unit;
use super::signatures::{DeclaredType, Signature};
use crate::program::{
    Assertion, AssertionId, Block, BlockNames, Callee, Counters, DataModel, Expr, ExprKind, FailureCall, Function,
    FunctionId, Gaps, InputId, IntKind, LabelId, Location, LoopId, Lvalue, NEVER_RETURN, Presumption, Program, SiteId,
    SourceMap, Stmt, StmtKind, Storage, StructId, Type, VarId, Variable,
};
use lang_c::span::Span;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The result of lowering something.
pub(super) type Lowered<T> = Result<T, InputError>;

/// Turns parsed files into one program.
pub(super) struct Lowerer<'u> {
    pub(super) units: &'u [Unit],
    /// The file at hand.
    pub(super) unit: &'u Unit,
    pub(super) unit_number: usize,
    pub(super) options: &'u LowerOptions,
    pub(super) program: Program,
    /// Where statements go now.
    pub(super) out: Block,
    /// The scopes that are open, the file's first.
    pub(super) scopes: Vec<Scope>,
    /// Names with external linkage.
    pub(super) linked: HashMap<String, Symbol>,
    /// One per function of the program.
    pub(super) functions: Vec<FunctionInfo>,
    pub(super) globals: HashMap<VarId, GlobalInfo>,
    /// Signatures of the functions that variables point to.
    pub(super) variable_signatures: HashMap<VarId, Rc<Signature>>,
    /// The same of members.
    pub(super) member_signatures: HashMap<(StructId, u32), Rc<Signature>>,
    /// One per struct type.
    pub(super) structs: Vec<StructInfo>,
    /// Struct tags of file scope by name, to unite the types of several files.
    pub(super) file_tags: HashMap<String, StructId>,
    pub(super) strings: HashMap<(Vec<i128>, IntKind), VarId>,
    pub(super) function: Option<FunctionState>,
    pub(super) assertion_numbers: HashMap<String, u32>,
    /// The definitions of functions by name, in each file.
    pub(super) definitions: super::specification::Definitions<'u>,
    pub(super) temporaries: u32,
    pub(super) traffic: super::builtins::Traffic,
    /// What a `va_list` is a pointer to here. The machine's is of another size.
    pub(super) argument_list: Option<StructId>,
    /// The annotations of the file that are still to come.
    pub(super) annotations: super::acsl::Annotations,
    /// Structs for which blocks are allocated whose size is not one of whole structs.
    pub(super) roomy: BTreeSet<StructId>,
    /// The names of functions that are declared not to return.
    pub(super) no_return: HashSet<String>,
    /// The objects that are being initialised, the innermost last.
    pub(super) initialised: Vec<VarId>,
    /// Globals of which the source says that nothing changes them.
    pub(super) constants: HashSet<VarId>,
    /// What declarations say about the linker.
    pub(super) linker_names: super::names::LinkerNames,
    /// Operands that C may evaluate in either order.
    pub(super) unordered: Vec<(Footprint, Footprint)>,
    /// How many scopes are open where a local is declared: the more, the shorter it lives.
    pub(super) depths: HashMap<VarId, usize>,
    /// For each full expression that is open: the declarations of the objects that end with it.
    pub(super) passing: Vec<Block>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Variable(VarId),
    Function(FunctionId),
    Typedef(DeclaredType),
    Enumerator(i128, IntKind),
}

/// One scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) symbols: HashMap<String, Symbol>,
    pub(super) tags: HashMap<String, Tag>,
    /// The declarations of the objects without a name that live as long as the block at hand.
    pub(super) unnamed: Block,
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Struct(StructId),
    Enum(IntKind),
}

/// What is known of a function besides the program's view.
#[derive(Clone, Debug)]
pub(super) struct FunctionInfo {
    pub(super) signature: Rc<Signature>,
    /// Where its body is.
    pub(super) defined: Option<Location>,
    /// Declared by the source, not implicitly by a call.
    pub(super) declared: bool,
}

/// What is known of a global.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalInfo {
    /// Where it is defined with an initialiser.
    pub(super) initialised: Option<Location>,
    /// Defined, if only tentatively.
    pub(super) defined: bool,
}

/// What is known of a struct type.
#[derive(Clone, Debug)]
pub(super) struct StructInfo {
    pub(super) complete: bool,
    /// The unit that defines it.
    pub(super) unit: usize,
}

/// The function at hand.
pub(super) struct FunctionState {
    pub(super) name: String,
    pub(super) result: Type,
    pub(super) labels: HashMap<String, LabelUse>,
    pub(super) exits: Vec<Exit>,
    /// The locals whose address is taken somewhere: calls can change them.
    pub(super) address_taken: HashSet<String>,
    /// The switches that are open.
    pub(super) switches: Vec<super::switches::Switch>,
    /// What holds where it returns.
    pub(super) ensures: super::acsl::Ensures,
}

/// A label of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelUse {
    pub(super) id: LabelId,
    pub(super) defined: bool,
    pub(super) first_use: Span,
}

/// What `break` and `continue` leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// A loop; whether either was used in it.
    Loop { used: bool },
    /// A switch, whose `break` jumps to the label.
    Switch(LabelId),
    /// The condition of a loop, which neither may leave.
    Condition,
}

impl<'u> Lowerer<'u> {
    pub(super) fn new(units: &'u [Unit], sources: SourceMap, options: &'u LowerOptions) -> Lowerer<'u> {
        let program = Program {
            data_model: options.data_model,
            representation: options.representation,
            sources,
            structs: Vec::new(),
            variables: Vec::new(),
            globals: Vec::new(),
            initialisers: Vec::new(),
            functions: Vec::new(),
            entry: FunctionId(0),
            assertions: Vec::new(),
            counters: Counters::default(),
            assumptions: Vec::new(),
            alone: options.alone,
            block_names: BlockNames::default(),
            notes: Vec::new(),
            gaps: Gaps::default(),
        };
        Lowerer {
            units,
            unit: &units[0],
            unit_number: 0,
            options,
            program,
            out: Vec::new(),
            scopes: Vec::new(),
            linked: HashMap::new(),
            functions: Vec::new(),
            globals: HashMap::new(),
            variable_signatures: HashMap::new(),
            member_signatures: HashMap::new(),
            structs: Vec::new(),
            file_tags: HashMap::new(),
            strings: HashMap::new(),
            function: None,
            assertion_numbers: HashMap::new(),
            definitions: super::specification::Definitions::new(units),
            temporaries: 0,
            traffic: super::builtins::Traffic::default(),
            argument_list: None,
            annotations: super::acsl::Annotations::default(),
            roomy: BTreeSet::new(),
            no_return: HashSet::new(),
            initialised: Vec::new(),
            constants: HashSet::new(),
            linker_names: super::names::LinkerNames::default(),
            unordered: Vec::new(),
            depths: HashMap::new(),
            passing: Vec::new(),
        }
    }

    pub(super) fn model(&self) -> DataModel {
        self.program.data_model
    }

    /// What plain `char` is. One without a sign is `unsigned char` in everything but its name.
    pub(super) fn plain_char(&self) -> IntKind {
        if self.options.representation.unsigned_char { IntKind::UChar } else { IntKind::Char }
    }

    pub(super) fn size_type(&self) -> Type {
        Type::Int(self.model().size_type())
    }

    pub(super) fn difference_type(&self) -> Type {
        Type::Int(self.model().difference_type())
    }

    pub(super) fn at(&self, span: Span) -> Location {
        self.unit.at(span)
    }

    /// An error at a node.
    pub(super) fn fail<T>(&self, kind: InputErrorKind, span: Span, message: impl Into<String>) -> Lowered<T> {
        Err(InputError::new(kind, message).at(self.unit.place(span, &self.program.sources)))
    }

    pub(super) fn wrong<T>(&self, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.fail(InputErrorKind::Semantic, span, message)
    }

    pub(super) fn unsupported<T>(&self, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.fail(InputErrorKind::Unsupported, span, message)
    }

    /// An error at a place that may lie in another file than the one at hand.
    pub(super) fn fail_at<T>(&self, kind: InputErrorKind, at: Location, message: impl Into<String>) -> Lowered<T> {
        Err(InputError::new(kind, message).at(super::parse::place(&self.program.sources, at, 1)))
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.symbols.get(name))
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(name)).copied()
    }

    pub(super) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// The innermost scope.
    pub(super) fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// Runs `inside` in a scope of its own.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.scopes.push(Scope::default());
        let result = inside(self);
        if let Some(mut closed) = self.scopes.pop() {
            let unnamed = std::mem::take(&mut closed.unnamed);
            self.scope().unnamed.extend(unnamed);
            self.note_names(closed);
        }
        result
    }

    /// Lowers a block of C: a scope of its own, which begins with the objects that live as long as
    /// it does, wherever in it the program makes them.
    pub(super) fn scoped_block<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(T, Block)> {
        self.scoped(|l| {
            let (value, statements) = l.collecting(inside)?;
            let mut block = std::mem::take(&mut l.scope().unnamed);
            block.extend(statements);
            Ok((value, block))
        })
    }

    /// Whether objects of the program, not of ours alone, end with the block.
    pub(super) fn ends_lives(&self, block: &[Stmt]) -> bool {
        let is_own = |v: &VarId| self.program.variable(*v).name.starts_with("$t");
        block.iter().any(|s| matches!(&s.kind, StmtKind::Declare(v) if !is_own(v)))
    }

    /// Emits a block of C that has a value, which is kept.
    pub(super) fn closed(&mut self, mut block: Block, value: Expr, at: Location) -> Expr {
        if value.ty == Type::Void || value.as_int().is_some() {
            self.emit(StmtKind::Block(block), at);
            return value;
        }
        let result = self.temporary(value.ty.clone(), value.location);
        block.push(self.stmt(StmtKind::Assign(result.clone(), value), at));
        self.emit(StmtKind::Block(block), at);
        Expr::load(result)
    }

    /// Lowers a full expression (C11 6.8p4), with which objects of temporary lifetime end (6.2.4p8).
    pub(super) fn full(&mut self, at: Location, inside: impl FnOnce(&mut Self) -> Lowered<Expr>) -> Lowered<Expr> {
        self.passing.push(Block::new());
        let result = self.collecting(inside);
        let mut block = self.passing.pop().unwrap_or_default();
        let (value, statements) = result?;
        if block.is_empty() {
            self.out.extend(statements);
            return Ok(value);
        }
        block.extend(statements);
        Ok(self.closed(block, value, at))
    }

    /// The same without a value.
    pub(super) fn full_effects(&mut self, at: Location, inside: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.full(at, |l| inside(l).map(|()| super::expressions::void(at))).map(|_| ())
    }

    /// Lowers what is a block in C without braces. Where no object ends with it, it needs no block
    /// of its own.
    pub(super) fn enclosed(&mut self, at: Location, inside: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let ((), block) = self.scoped_block(inside)?;
        if self.ends_lives(&block) {
            self.emit(StmtKind::Block(block), at);
        } else {
            self.out.extend(block);
        }
        Ok(())
    }

    /// Notes which names of a scope inside of a function stand for something else than its own variables.
    fn note_names(&mut self, closed: Scope) {
        let Some(function) = &self.function else { return };
        for (name, symbol) in closed.symbols {
            if let Symbol::Variable(v) = symbol {
                if self.program.variable(v).storage != Storage::Global {
                    continue;
                }
                let of_file = self.scopes.first().and_then(|file| file.symbols.get(&name));
                if !matches!(of_file, Some(Symbol::Variable(w)) if *w == v) {
                    self.program.block_names.globals.insert(v);
                }
            }
            self.program.block_names.other.entry(function.name.clone()).or_default().insert(name);
        }
    }

    /// Appends a statement.
    pub(super) fn emit(&mut self, kind: StmtKind, location: Location) {
        let stmt = self.stmt(kind, location);
        if let Some(assumption) = self.changes_constant(&stmt) {
            let before = self.excluded(assumption, location);
            self.out.push(before);
        }
        let returns = match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(f), .. } => {
                !self.no_return.contains(&self.program.function(*f).name)
            }
            _ => true,
        };
        self.out.push(stmt);
        if !returns {
            let after = self.excluded(NEVER_RETURN, location);
            self.out.push(after);
        }
    }

    /// A place that no run comes to which is considered, by an assumption, which is listed.
    pub(super) fn excluded(&mut self, assumption: &'static str, at: Location) -> Stmt {
        self.program.assume_that(assumption);
        self.stmt(StmtKind::Presume(Presumption::Never(assumption)), at)
    }

    /// A statement with a new identity.
    pub(super) fn stmt(&mut self, kind: StmtKind, location: Location) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        Stmt { kind, site, location }
    }

    /// Runs `inside` with an empty block and returns the statements that it emitted.
    pub(super) fn collecting<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(T, Block)> {
        let outer = std::mem::take(&mut self.out);
        let result = inside(self);
        let block = std::mem::replace(&mut self.out, outer);
        Ok((result?, block))
    }

    /// Runs `inside` for what it returns alone: nothing is emitted, and no assertion or input comes of it.
    pub(super) fn unevaluated<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let outer = std::mem::take(&mut self.out);
        let counters = self.program.counters;
        let assertions = self.program.assertions.len();
        let numbers = self.assertion_numbers.clone();
        let assumptions = self.program.assumptions.clone();
        let unordered = self.unordered.len();
        let unnamed = self.scope().unnamed.len();
        let passing = self.passing.last().map_or(0, Vec::len);
        let (variables, globals) = (self.program.variables.len(), self.program.globals.len());
        let result = inside(self);
        self.out = outer;
        if self.program.globals.len() == globals {
            self.program.variables.truncate(variables);
        }
        self.program.counters = Counters { labels: self.program.counters.labels, ..counters };
        self.program.assertions.truncate(assertions);
        self.assertion_numbers = numbers;
        self.program.assumptions = assumptions;
        self.unordered.truncate(unordered);
        self.scope().unnamed.truncate(unnamed);
        self.passing.iter_mut().last().into_iter().for_each(|p| p.truncate(passing));
        result
    }

    pub(super) fn new_label(&mut self) -> LabelId {
        let id = LabelId(self.program.counters.labels);
        self.program.counters.labels += 1;
        id
    }

    /// A label that the source does not have.
    pub(super) fn hidden_label(&mut self, id: LabelId, at: Location) {
        self.emit(StmtKind::Label(id, format!("$l{}", id.0)), at);
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        let id = LoopId(self.program.counters.loops);
        self.program.counters.loops += 1;
        id
    }

    pub(super) fn new_input(&mut self) -> InputId {
        let id = InputId(self.program.counters.inputs);
        self.program.counters.inputs += 1;
        id
    }

    /// A new temporary, declared here.
    pub(super) fn temporary(&mut self, ty: Type, at: Location) -> Lvalue {
        self.temporaries += 1;
        let name = format!("$t{}", self.temporaries);
        self.hidden_variable(name, ty, at)
    }

    /// A new local with that name, declared here.
    pub(super) fn hidden_variable(&mut self, name: String, ty: Type, at: Location) -> Lvalue {
        let (object, declaration) = self.undeclared_variable(name, ty, at);
        self.out.push(declaration);
        object
    }

    /// A new local of the block at hand, and its declaration.
    pub(super) fn undeclared_variable(&mut self, name: String, ty: Type, at: Location) -> (Lvalue, Stmt) {
        let variable = Variable { name, ty, storage: Storage::Local, constant: false, location: at };
        let id = self.program.add_variable(variable);
        self.depths.insert(id, self.scopes.len());
        (Lvalue::var(&self.program, id, at), self.stmt(StmtKind::Declare(id), at))
    }

    /// Stores a value in a temporary, so that later effects do not change it. Constants and temporaries stay.
    pub(super) fn settle(&mut self, value: Expr) -> Expr {
        let settled = match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => true,
            ExprKind::Load(lvalue) => lvalue.as_var().is_some_and(|v| self.program.variable(v).name.starts_with("$t")),
            _ => false,
        };
        if settled || value.ty == Type::Void {
            return value;
        }
        let temporary = self.temporary(value.ty.clone(), value.location);
        let at = value.location;
        self.emit(StmtKind::Assign(temporary.clone(), value), at);
        Expr::load(temporary)
    }

    pub(super) fn function_name(&self) -> &str {
        self.function.as_ref().map_or(crate::program::FILE_SCOPE, |f| &f.name)
    }

    /// A new assertion of the function at hand.
    pub(super) fn new_assertion(&mut self, location: Location, condition: String) -> AssertionId {
        let function = self.function_name().to_owned();
        let id = self.next_assertion(&function);
        let location = self.assertion_place(location, &condition);
        self.program.assertions.push(Assertion { id, function, location, condition, failure: None, unsupported: None });
        AssertionId((self.program.assertions.len() - 1) as u32)
    }

    /// The name of the next assertion of a function.
    pub(super) fn next_assertion(&mut self, function: &str) -> String {
        let number = self.assertion_numbers.entry(function.to_owned()).or_insert(0);
        *number += 1;
        format!("{function}.assertion.{number}")
    }

    /// Says which call the failure of an assertion is; without a place, it is where the assertion stands.
    pub(super) fn fails_by(&mut self, id: AssertionId, function: &str, at: Option<Location>) {
        if let Some(assertion) = self.program.assertions.get_mut(id.0 as usize) {
            let location = at.unwrap_or(assertion.location);
            assertion.failure = Some(FailureCall { function: function.to_owned(), location });
        }
    }

    /// A new function without a body.
    pub(super) fn add_function(&mut self, name: &str, info: FunctionInfo, location: Location) -> FunctionId {
        let id = FunctionId(self.program.functions.len() as u32);
        let result = info.signature.result.ty.clone();
        let variadic = info.signature.variadic;
        let name = name.to_owned();
        self.program.functions.push(Function { name, parameters: Vec::new(), variadic, result, body: None, location });
        self.functions.push(info);
        id
    }

    pub(super) fn assume_order(&mut self) {
        self.program.assume_that("operands and arguments with side effects are evaluated from left to right");
    }
}
