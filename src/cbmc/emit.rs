//! Writes the exact program as C for CBMC.
//!
//! **Exact** means: within the unwinding, CBMC's runs of the text are the runs of the program, cut
//! off at undefined behaviour. Before every operation the text assumes that it is defined. An
//! assertion that fails ends the run, so all later answers are about runs that passed it. Inputs
//! and arbitrary values go through variables whose names begin with `smalti_`, and these are what a
//! [`super::Trace`] keeps.
//!
//! **Limits.** Calls of unknown code return any value and change nothing. The text then has fewer
//! runs than the program, and [`Emitted::obstacles`] says so. The same is true of objects that are
//! too large for CBMC's addresses; the property [`CAPACITY`] reports them.

use super::conditions::{always_holds, condition};
use super::lifetimes;
use super::obstacles::{capacity, comparable, constant_size, find_obstacles};
use super::options::{EmitOptions, Purpose, Sizes, Undefined};
use super::written::{self, Written};
use crate::program::print::{self, Dialect, Placement, Printer};
use crate::program::{
    AssertionId, Callee, Check, Claim, ClaimRole, Expr, FunctionId, InputId, IntKind, Length, Lvalue, ObligationKey,
    ObligationKind, Presumption, Program, Stmt, StmtKind, Type, VarId, each_expr, numbered_checks_of,
};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the property that every object is small enough for CBMC's addresses. If it fails,
/// nothing is proved.
pub const CAPACITY: &str = "smalti.capacity";
/// The name of the property about compared pointers: they point into one object or, for equality,
/// not past the end of their objects. If it fails, nothing is proved.
pub const ADDRESSES: &str = "smalti.addresses";
/// The variable that is set to a [`VarId`] just before the storage of that variable begins. The
/// next assignment of a [`super::Trace`] is then the object's initial value.
pub const DECLARE: &str = "smalti_declare";
/// The variable that is set to a [`crate::program::SiteId`] just after a heap block with arbitrary
/// contents is made.
pub const ALLOCATE: &str = "smalti_allocate";
/// The variable to which the cells of a new heap block are then copied, one after the other, if
/// [`EmitOptions::log_heap`] is set.
pub const CELL: &str = "smalti_cell";
/// The prefix of the variables for inputs; the number of the [`InputId`] follows.
pub const INPUT: &str = "smalti_input_";
/// The prefix of the variables for the values of `Havoc`; the number of the
/// [`crate::program::SiteId`] follows.
pub const HAVOC: &str = "smalti_havoc_";

/// A program as C for CBMC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The text.
    pub source: String,
    /// The names of all its properties. There is one for each obligation that was asked about and
    /// occurs in the text; it is made from the obligation's `id`. [`CAPACITY`] and [`ADDRESSES`],
    /// which are not obligations, may be added.
    pub properties: BTreeMap<String, Option<ObligationKey>>,
    /// The names in the text of the variables whose initial values are arbitrary.
    pub variables: BTreeMap<VarId, String>,
    /// Reasons why success on this text would prove nothing; empty if there are none.
    pub obstacles: Vec<String>,
}

/// Writes the exact program and asks about some obligations.
pub fn emit(program: &Program, options: &EmitOptions<'_>) -> Emitted {
    let mut asked = BTreeMap::new();
    let mut obstacles = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for obligation in options.obligations {
        // Two `static` functions may share a name, and their obligations share an id.
        let mut name = obligation.id.clone();
        while !taken.insert(name.clone()) {
            name = format!("{name}'");
        }
        asked.insert(obligation.key, name);
    }
    // CBMC gives no answers about functions that nothing calls, so their statements are not
    // obstacles.
    let called = program.without_uncalled();
    let program = &*called;
    find_obstacles(program, options.undefined, &mut obstacles);
    // What is reached is reached by runs that choose nothing.
    let chooses = options.purpose == Purpose::Decide;
    let asks = |kind: ObligationKind| chooses && options.obligations.iter().any(|o| o.kind == kind);
    let ends = asks(ObligationKind::Lifetime);
    let written = asks(ObligationKind::Initialised).then(|| Written::new(program, |key| asked.contains_key(&key)));
    obstacles.extend(written.as_ref().and_then(|written| written.unsaid(program)));
    let (properties, variables) = (BTreeMap::new(), BTreeMap::new());
    let mut dialect = Cbmc { options, asked, properties, variables, obstacles, ends, written };
    let source = print::to_c(program, &mut dialect);
    Emitted {
        source,
        properties: dialect.properties,
        variables: dialect.variables,
        obstacles: dialect.obstacles.into_iter().collect(),
    }
}

struct Cbmc<'a> {
    options: &'a EmitOptions<'a>,
    asked: BTreeMap<ObligationKey, String>,
    properties: BTreeMap<String, Option<ObligationKey>>,
    variables: BTreeMap<VarId, String>,
    obstacles: BTreeSet<String>,
    /// Whether the text says which heap blocks have ended: something about lifetimes is asked.
    ends: bool,
    /// What may lack a value, if the text says what has been written: something about that is
    /// asked.
    written: Option<Written>,
}

impl Cbmc<'_> {
    /// The condition as an assertion (if it is asked about), then as an assumption.
    fn require(&mut self, lines: &mut Vec<String>, condition: &str, key: ObligationKey) {
        self.ask(lines, condition, key);
        if let (ObligationKey::Check(..), Undefined::Sets(_) | Undefined::Wraps) = (key, self.options.undefined) {
            return;
        }
        // A failing assertion ends the run in any case.
        let ends =
            self.options.purpose != Purpose::Reach { defined: false } || matches!(key, ObligationKey::Assertion(_));
        if ends {
            lines.push(format!("__CPROVER_assume({condition});"));
        }
    }

    /// A condition about the past of an object: as an assertion (if it is asked about), then as an
    /// assumption, as far as that cuts off no run that chooses no object.
    fn require_past(&mut self, printer: &Printer<'_>, lines: &mut Vec<String>, check: &Check<'_>, key: ObligationKey) {
        let is_of_life = check.kind == ObligationKind::Lifetime;
        let is_said = if is_of_life { self.ends } else { self.written.is_some() };
        if !is_said && !self.asked.contains_key(&key) {
            return;
        }
        let text = condition(printer, check);
        if let Some(text) = &text {
            self.ask(lines, text, key);
        }
        let assumed = if is_of_life { lifetimes::assumed(printer, check) } else { text };
        lines.extend(assumed.filter(|_| is_said).map(|assumed| format!("__CPROVER_assume({assumed});")));
    }

    /// The condition as an assertion, if it is asked about.
    fn ask(&mut self, lines: &mut Vec<String>, condition: &str, key: ObligationKey) {
        let decide = self.options.purpose == Purpose::Decide;
        if let Some(name) = self.asked.get(&key) {
            let asked = if decide { condition } else { "0" };
            lines.push(format!("__CPROVER_assert({asked}, \"{name}\");"));
            self.properties.insert(name.clone(), Some(key));
        }
    }

    /// Restricts a length to those that the query considers.
    fn limit_length(&mut self, printer: &Printer<'_>, lines: &mut Vec<String>, length: &str, element: u64, among: u32) {
        if let Undefined::Sets(_) = self.options.undefined {
            return;
        }
        match self.options.sizes {
            Sizes::AtMost(n) => lines.push(format!("__CPROVER_assume({length} <= {n});")),
            Sizes::Any => {
                // The product of all dimensions must fit.
                let cells = (capacity(printer.program().data_model) / element.max(1)).max(1);
                let each = cells.checked_ilog2().unwrap_or(0) / among;
                let condition = format!("{length} <= {}", 1u64 << each);
                lines.push(format!("__CPROVER_assert({condition}, \"{CAPACITY}\");"));
                lines.push(format!("__CPROVER_assume({condition});"));
                self.properties.insert(CAPACITY.to_owned(), None);
            }
        }
    }

    /// Gives a scalar (or the text of one) an arbitrary value through a variable of this name.
    fn arbitrary(&self, printer: &Printer<'_>, ty: &Type, target: &str, name: &str) -> String {
        if *ty == Type::Int(IntKind::Bool) {
            // In CBMC, an object of this type that was not written may hold a value other than 0
            // and 1.
            return format!("{{ unsigned char {name}; {target} = {name} != 0; }}");
        }
        format!("{{ {}; {target} = {name}; }}", printer.declarator(ty, name))
    }
}

impl Dialect for Cbmc<'_> {
    fn prelude(&mut self, _printer: &Printer<'_>) -> Vec<String> {
        let mut lines = vec![
            "void *__CPROVER_allocate(__CPROVER_size_t size, __CPROVER_bool zero);".to_owned(),
            format!("static unsigned int {DECLARE}, {ALLOCATE};"),
        ];
        if self.ends {
            lines.extend(lifetimes::declarations());
        }
        if self.written.is_some() {
            lines.extend(written::declarations());
        }
        lines
    }

    fn entry_parameter(&mut self, printer: &Printer<'_>, parameter: VarId, name: &str) -> Vec<String> {
        let ty = printer.program().variable(parameter).ty.clone();
        self.variables.insert(parameter, name.to_owned());
        if ty.is_scalar() {
            let temporary = printer.fresh("parameter");
            self.variables.insert(parameter, temporary.clone());
            vec![format!("{DECLARE} = {}u;", parameter.0), self.arbitrary(printer, &ty, name, &temporary)]
        } else {
            Vec::new()
        }
    }

    fn before(&mut self, printer: &Printer<'_>, stmt: &Stmt) -> Vec<String> {
        let program = printer.program();
        let mut lines = Vec::new();
        for (n, check) in &numbered_checks_of(program, stmt) {
            let key = ObligationKey::Check(stmt.site, *n);
            if check.kind.is_about_the_past() {
                if !self.options.known.contains(&key) {
                    self.require_past(printer, &mut lines, check, key);
                }
                continue;
            }
            if !self.asked.contains_key(&key) && always_holds(printer, check) {
                continue;
            }
            match condition(printer, check) {
                Some(text) => {
                    self.require(&mut lines, &text, key);
                    if let Undefined::Sets(flag) = self.options.undefined {
                        lines.push(format!("if (!({text})) {} = 1;", printer.variable(flag)));
                    }
                }
                None if self.asked.contains_key(&key) => {
                    // A condition that is asked about but cannot be expressed leaves the obligation
                    // open.
                    self.obstacles.insert("the length of an array is not known".to_owned());
                }
                None => {}
            }
        }
        if self.options.sizes == Sizes::Any && !matches!(self.options.undefined, Undefined::Sets(_)) {
            let mut conditions = BTreeSet::new();
            each_expr(stmt, &mut |e| conditions.extend(comparable(printer, e)));
            for condition in conditions {
                lines.push(format!("__CPROVER_assert({condition}, \"{ADDRESSES}\");"));
                self.properties.insert(ADDRESSES.to_owned(), None);
            }
        }
        if let (true, StmtKind::Presume(Presumption::Freed(pointer))) = (self.ends, &stmt.kind) {
            lines.push(lifetimes::freed(printer, pointer));
        }
        if let StmtKind::Declare(v) = &stmt.kind {
            let variable = program.variable(*v);
            let (mut ty, mut lengths) = (&variable.ty, Vec::new());
            while let Type::Array(element, length) = ty {
                if let Length::Variable(n) = length {
                    lengths.push(*n);
                }
                ty = element;
            }
            let element = constant_size(program, &variable.ty).unwrap_or(1);
            let among = u32::try_from(lengths.len()).unwrap_or(u32::MAX).max(1);
            for n in lengths {
                let name = printer.variable(n).to_owned();
                self.limit_length(printer, &mut lines, &name, element, among);
            }
            if !variable.ty.is_scalar() && printer.placement(*v) == Placement::Here {
                lines.push(format!("{DECLARE} = {}u;", v.0));
            }
        }
        lines.extend(self.written.iter().flat_map(|written| written.before(printer, stmt)));
        lines
    }

    fn input(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue, input: InputId) -> Vec<String> {
        vec![self.arbitrary(printer, &target.ty, &printer.lvalue(target), &format!("{INPUT}{}", input.0))]
    }

    fn declare(&mut self, printer: &Printer<'_>, _stmt: &Stmt, v: VarId, placement: Placement) -> Vec<String> {
        let ty = printer.program().variable(v).ty.clone();
        let name = printer.variable(v).to_owned();
        let mut lines = Vec::new();
        if ty.is_scalar() {
            let temporary = printer.fresh("initial");
            let text = self.arbitrary(printer, &ty, &name, &temporary);
            self.variables.insert(v, temporary);
            lines.extend([format!("{DECLARE} = {}u;", v.0), text]);
        } else {
            self.variables.insert(v, name.clone());
            if placement == Placement::Top {
                lines.extend([format!("{DECLARE} = {}u;", v.0), format!("__CPROVER_havoc_object(&{name});")]);
            }
        }
        lines.extend(self.written.as_ref().and_then(|written| written.declared(printer, v)));
        lines
    }

    fn enters(&mut self, printer: &Printer<'_>, function: FunctionId) -> Vec<String> {
        self.written.iter().flat_map(|written| written.entered(printer, function)).collect()
    }

    fn returned(&mut self, printer: &Printer<'_>, target: &Lvalue, callee: &Callee) -> Vec<String> {
        let lines = self.written.as_ref().and_then(|written| written.returned(printer, callee, target));
        lines.into_iter().collect()
    }

    fn ends(&mut self, printer: &Printer<'_>, v: VarId) -> Vec<String> {
        let outlived = self.ends && printer.program().endings.variables.contains(&v);
        if outlived { vec![lifetimes::left(printer, v)] } else { Vec::new() }
    }

    fn storage(&mut self, size: &str) -> String {
        format!("__CPROVER_allocate({size}, 0)")
    }

    fn allocate(
        &mut self,
        printer: &Printer<'_>,
        stmt: &Stmt,
        target: &Lvalue,
        element: &Type,
        count: &Expr,
        zeroed: bool,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let ty = printer.type_name(element);
        let size = constant_size(printer.program(), element).unwrap_or(1);
        let mut length = printer.operand(count);
        match count.as_int() {
            Some(n)
                if n.max(0).unsigned_abs().saturating_mul(u128::from(size))
                    <= u128::from(capacity(printer.program().data_model)) => {}
            _ => self.limit_length(printer, &mut lines, &length, size, 1),
        }
        let name = printer.fresh("count");
        lines.insert(0, format!("__CPROVER_size_t {name} = {length};"));
        length = name;
        let pointee = target.ty.pointee();
        let conversion = if pointee.is_some_and(|to| *to == Type::Void) {
            String::new()
        } else {
            format!("({})", printer.type_name(&target.ty))
        };
        // The size is written as a product because CBMC derives the type of the cells from it.
        let mut block = format!("__CPROVER_allocate(sizeof({ty}) * {length}, {})", u8::from(zeroed));
        if let Some(written) = &self.written {
            // The assignment may change what the target's own place depends on.
            let made = std::mem::replace(&mut block, printer.fresh("block"));
            lines.push(format!("void *{block} = {made};"));
            let count = count.as_int().and_then(|n| u64::try_from(n).ok());
            lines.extend(written.allocated(printer, stmt, &block, (element, count)));
        }
        lines.push(printer.assignment(target, &format!("{conversion}{block}")));
        if !zeroed {
            lines.push(format!("{ALLOCATE} = {}u;", stmt.site.0));
            if let (true, Sizes::AtMost(most), Type::Int(_)) = (self.options.log_heap, self.options.sizes, element) {
                let block = format!("(({ty} *){})", printer.lvalue(target));
                for n in 0..most {
                    lines.push(format!("if ({n} < {length}) {{ {ty} {CELL} = {block}[{n}]; }}"));
                }
            }
        }
        // A jump must not skip the declaration of the temporary.
        vec!["{".to_owned()].into_iter().chain(lines).chain(["}".to_owned()]).collect()
    }

    fn zero(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue) -> Vec<String> {
        let text = printer.lvalue(target);
        vec![match &target.ty {
            ty if ty.is_scalar() => printer.assignment(target, "0"),
            Type::Array(element, _) if element.is_scalar() => format!("__CPROVER_array_set({text}, 0);"),
            ty @ Type::Array(..) if !has_variable_length(ty) => {
                let name = printer.fresh("zero");
                format!(
                    "{{ static const {} = {{0}}; __CPROVER_array_copy({text}, {name}); }}",
                    printer.declarator(ty, &name)
                )
            }
            ty @ Type::Struct(_) => format!("{text} = ({}){{0}};", printer.type_name(ty)),
            ty => {
                let size = format!("sizeof({})", printer.type_name(ty));
                format!("__builtin_memset({}, 0, {size});", printer.address(target))
            }
        }]
    }

    fn havoc(&mut self, printer: &Printer<'_>, stmt: &Stmt, target: &Lvalue) -> Vec<String> {
        let name = format!("{HAVOC}{}", stmt.site.0);
        vec![match &target.ty {
            Type::Array(..) if target.path.is_empty() => {
                format!("__CPROVER_havoc_object({});", printer.address(target))
            }
            ty @ Type::Array(..) => {
                format!(
                    "{{ {}; __CPROVER_array_copy({}, {name}); }}",
                    printer.declarator(ty, &name),
                    printer.lvalue(target)
                )
            }
            ty => self.arbitrary(printer, ty, &printer.lvalue(target), &name),
        }]
    }

    fn havoc_reachable(&mut self, _printer: &Printer<'_>, _stmt: &Stmt, _pointers: &[Expr]) -> Vec<String> {
        // Unknown code may do anything, but in the text it does nothing: see the obstacles.
        Vec::new()
    }

    fn open_call(
        &mut self,
        printer: &Printer<'_>,
        stmt: &Stmt,
        target: Option<&Lvalue>,
        callee: &Callee,
        _arguments: &[Expr],
    ) -> Option<Vec<String>> {
        match callee {
            Callee::Function(f) if printer.program().function(*f).body.is_none() => {
                Some(target.map(|t| self.havoc(printer, stmt, t)).unwrap_or_default())
            }
            // CBMC calls the possible targets of such a pointer.
            _ => None,
        }
    }

    fn assume(&mut self, printer: &Printer<'_>, _stmt: &Stmt, condition: &Expr) -> Vec<String> {
        vec![format!("__CPROVER_assume({});", printer.expr(condition))]
    }

    fn assert(&mut self, printer: &Printer<'_>, _stmt: &Stmt, condition: &Expr, assertion: AssertionId) -> Vec<String> {
        let mut lines = Vec::new();
        self.require(&mut lines, &printer.expr(condition), ObligationKey::Assertion(assertion));
        lines
    }

    fn claim(&mut self, printer: &Printer<'_>, _stmt: &Stmt, claim: &Claim) -> Vec<String> {
        let key = claim.role.assertion().map(ObligationKey::Assertion);
        let Some((mut lines, holds)) = super::formulas::computed(printer, &claim.formula) else {
            // Runs that an assumption would end are followed, so the proof covers more runs than
            // necessary.
            if key.is_some_and(|k| self.asked.contains_key(&k)) {
                self.obstacles.insert("an annotation cannot be expressed in C for CBMC".to_owned());
            }
            return Vec::new();
        };
        match key {
            // Later answers must not rest on it.
            Some(key) if matches!(claim.role, ClaimRole::Check(_)) => self.ask(&mut lines, &holds, key),
            Some(key) => self.require(&mut lines, &holds, key),
            None => lines.push(format!("__CPROVER_assume({holds});")),
        }
        vec!["{".to_owned()].into_iter().chain(lines).chain(["}".to_owned()]).collect()
    }

    fn stop(&mut self, _printer: &Printer<'_>, _stmt: &Stmt) -> Vec<String> {
        vec!["__CPROVER_assume(0);".to_owned()]
    }
}

fn has_variable_length(ty: &Type) -> bool {
    match ty {
        Type::Array(element, length) => !matches!(length, Length::Constant(_)) || has_variable_length(element),
        _ => false,
    }
}
