//! The state of the lowering: the program so far, the scopes, the current function.

use super::LowerOptions;
use super::error::{InputError, InputErrorKind};
use super::order::Footprint;
use super::parse::Unit;
use super::signatures::{DeclaredType, Signature};
use crate::program::{
    Assertion, AssertionId, Assumption, Block, BlockNames, Counters, DataModel, Endings, FailureCall, Function,
    FunctionId, Gaps, IntKind, LabelId, Location, Origin, Program, SiteId, SourceMap, StructId, Type, Unset, VarId,
};
use lang_c::span::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The result of lowering something.
pub(super) type Lowered<T> = Result<T, InputError>;

/// Turns parsed files into one program.
pub(super) struct Lowerer<'u> {
    pub(super) units: &'u [Unit],
    /// The current file.
    pub(super) unit: &'u Unit,
    pub(super) unit_number: usize,
    pub(super) options: &'u LowerOptions,
    pub(super) program: Program,
    /// Where statements go now.
    pub(super) out: Block,
    /// The scopes that are open, the file's first.
    pub(super) scopes: Vec<Scope>,
    pub(super) library: super::library::Library<'u>,
    /// Names with external linkage.
    pub(super) linked: HashMap<String, Symbol>,
    /// One per function of the program.
    pub(super) functions: Vec<FunctionInfo>,
    pub(super) globals: HashMap<VarId, GlobalInfo>,
    /// Signatures of the functions that variables point to.
    pub(super) variable_signatures: HashMap<VarId, Rc<Signature>>,
    /// The same for members.
    pub(super) member_signatures: HashMap<(StructId, u32), Rc<Signature>>,
    /// One per struct type.
    pub(super) structs: Vec<StructInfo>,
    /// The types with a tag of file scope, to unite those of several files.
    pub(super) file_tags: HashMap<String, Vec<StructId>>,
    pub(super) passed_over: &'u super::structs::PassedOver,
    pub(super) strings: HashMap<(Vec<i128>, IntKind), VarId>,
    pub(super) function: Option<FunctionState>,
    pub(super) assertion_numbers: HashMap<String, u32>,
    /// The definitions of functions by name, in each file.
    pub(super) definitions: super::definitions::Definitions<'u>,
    pub(super) temporaries: u32,
    pub(super) traffic: super::builtins::Traffic,
    /// The type that a `va_list` points to here. The machine's own has another size.
    pub(super) argument_list: Option<StructId>,
    /// The annotations of the file that are not yet lowered.
    pub(super) annotations: super::acsl::Annotations,
    /// Structs for which some allocated block does not have the size of whole structs.
    pub(super) roomy: BTreeSet<StructId>,
    /// The names of functions that are declared not to return.
    pub(super) no_return: HashSet<String>,
    /// What the program does about signals.
    pub(super) signals: super::signals::Signals,
    /// What the program does at its end.
    pub(super) at_exit: super::at_exit::AtExit,
    /// The objects that are being initialised, the innermost last.
    pub(super) initialised: Vec<VarId>,
    /// Before calls through pointers: the types of the function and of the arguments.
    pub(super) called: HashMap<SiteId, (Rc<Signature>, Vec<Type>)>,
    /// Globals that the source declares constant.
    pub(super) constants: HashSet<VarId>,
    /// The parameters that are `restrict` pointers.
    pub(super) restricted: HashSet<VarId>,
    /// What declarations say about the linker.
    pub(super) linker_names: super::names::LinkerNames,
    /// Operands that C may evaluate in either order.
    pub(super) unordered: Vec<(Footprint, Footprint)>,
    /// The number of open scopes where a local is declared: the larger, the shorter its lifetime.
    pub(super) depths: HashMap<VarId, usize>,
    /// For each open full expression: the declarations of the objects whose lifetime ends with it.
    pub(super) passing: Vec<Block>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Variable(VarId),
    /// A variable of another file, which declares it with the other sign: its integers are seen as
    /// of this kind.
    View(VarId, IntKind),
    Function(FunctionId),
    Typedef(DeclaredType),
    Enumerator(i128, IntKind),
}

/// One scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) symbols: HashMap<String, Symbol>,
    pub(super) tags: HashMap<String, Tag>,
    /// The declarations of the objects without a name that live as long as the current block.
    pub(super) unnamed: Block,
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Struct(StructId),
    Enum(IntKind),
}

/// What is known of a function in addition to its entry in the program.
#[derive(Clone, Debug)]
pub(super) struct FunctionInfo {
    pub(super) signature: Rc<Signature>,
    /// Where its body is.
    pub(super) defined: Option<Location>,
    /// Whether the source declares it, instead of a call implicitly.
    pub(super) declared: bool,
}

/// What is known of a global.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalInfo {
    /// Where it is defined with an initialiser.
    pub(super) initialised: Option<Location>,
    /// Whether it is defined, perhaps only tentatively.
    pub(super) defined: bool,
}

/// What is known of a struct type.
#[derive(Clone, Debug)]
pub(super) struct StructInfo {
    pub(super) complete: bool,
    pub(super) tagged: bool,
    /// The last unit that defines it.
    pub(super) unit: usize,
}

/// The current function.
pub(super) struct FunctionState {
    pub(super) name: String,
    pub(super) result: Type,
    pub(super) labels: HashMap<String, LabelUse>,
    pub(super) exits: Vec<Exit>,
    /// The locals whose address is taken somewhere: calls can change them.
    pub(super) address_taken: HashSet<String>,
    /// The switches that are open.
    pub(super) switches: Vec<super::switches::Switch>,
    /// What must hold where it returns.
    pub(super) ensures: super::acsl::Ensures,
    /// The moments that its annotations mention.
    pub(super) moments: super::acsl::Moments,
}

/// A label of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelUse {
    pub(super) id: LabelId,
    pub(super) defined: bool,
    pub(super) first_use: Span,
}

/// A construct that `break` and `continue` may leave.
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
    pub(super) fn new(
        units: &'u [Unit],
        sources: SourceMap,
        options: &'u LowerOptions,
        passed_over: &'u super::structs::PassedOver,
    ) -> Lowerer<'u> {
        let program = Program {
            logic: Vec::new(),
            lemmas: Vec::new(),
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
            malloc_may_fail: options.malloc_may_fail,
            endings: Endings::default(),
            unset: Unset::default(),
            outside: BTreeMap::new(),
            library_inputs: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
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
            library: super::library::Library::default(),
            linked: HashMap::new(),
            functions: Vec::new(),
            globals: HashMap::new(),
            variable_signatures: HashMap::new(),
            member_signatures: HashMap::new(),
            structs: Vec::new(),
            file_tags: HashMap::new(),
            passed_over,
            strings: HashMap::new(),
            function: None,
            assertion_numbers: HashMap::new(),
            definitions: super::definitions::Definitions::new(units),
            temporaries: 0,
            traffic: super::builtins::Traffic::default(),
            argument_list: None,
            annotations: super::acsl::Annotations::default(),
            roomy: BTreeSet::new(),
            no_return: HashSet::new(),
            initialised: Vec::new(),
            called: HashMap::new(),
            at_exit: Default::default(),
            signals: Default::default(),
            constants: HashSet::new(),
            restricted: HashSet::new(),
            linker_names: super::names::LinkerNames::default(),
            unordered: Vec::new(),
            depths: HashMap::new(),
            passing: Vec::new(),
        }
    }

    pub(super) fn model(&self) -> DataModel {
        self.program.data_model
    }

    /// The type of plain `char`. If it is unsigned, it is `unsigned char` in everything except its
    /// name.
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

    /// An error at a place that may be in another file than the current one.
    pub(super) fn fail_at<T>(&self, kind: InputErrorKind, at: Location, message: impl Into<String>) -> Lowered<T> {
        Err(InputError::new(kind, message).at(super::parse::place(&self.program.sources, at, 1)))
    }

    pub(super) fn function_name(&self) -> &str {
        self.function.as_ref().map_or(crate::program::FILE_SCOPE, |f| &f.name)
    }

    /// A new assertion of the current function.
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

    /// Records the call that is the failure of an assertion. Without a place, the call has the
    /// assertion's place.
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
        let (origin, parameters) = (Origin::Source, Vec::new());
        self.program.functions.push(Function { name, origin, parameters, variadic, result, body: None, location });
        self.functions.push(info);
        id
    }

    /// A function that the source does not have, so far without parameters and a body.
    pub(super) fn add_made_function(&mut self, name: &str, origin: Origin, result: Type, at: Location) -> FunctionId {
        let result = DeclaredType::plain(result);
        let signature = Rc::new(Signature { parameters: Some(Vec::new()), variadic: false, result });
        let made = self.add_function(name, FunctionInfo { signature, defined: Some(at), declared: true }, at);
        self.program.functions[made.0 as usize].origin = origin;
        made
    }

    /// Lists an assumption about the current statement or expression, in the current function.
    /// (Declarations may matter elsewhere, too: in initialisers of static objects, which runs do
    /// not reach. `program.assume_that` lists that.)
    pub(super) fn assume_that(&mut self, assumption: impl Into<Assumption>) {
        let assumption = assumption.into();
        let assumption = match &self.function {
            Some(function) if assumption.within.is_none() => assumption.within(&function.name),
            _ => assumption,
        };
        self.program.assume_that(assumption);
    }

    pub(super) fn assume_order(&mut self) {
        self.assume_that("operands and arguments with side effects are evaluated from left to right");
    }
}
