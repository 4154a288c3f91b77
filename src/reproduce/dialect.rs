//! The C text of a failing run.

use super::record::{RecordedCell, Recording, is_of};
use super::runtime::{RUNTIME, STACK, needs_stack};
use super::text::{comment, integer, literal};
use super::{claims, conditions};
use crate::interpreter::{self, ObjectOrigin};
use crate::program::print::{Dialect, Placement, Printer};
use crate::program::{
    AssertionId, Callee, Claim, Expr, ExprKind, FileId, Finding, InputId, IntKind, Length, Lvalue, Obligation,
    ObligationKey, Outside, Program, SiteId, Step, Stmt, StmtKind, Storage, Type, VarId, check_of, print,
};
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of cells that are set one by one. A larger file would be useless.
const MOST_CELLS: usize = 100_000;

/// The initial contents of cells that the run reads, for each execution that begins the object.
type Executions<'r> = BTreeMap<u64, &'r BTreeMap<u64, RecordedCell>>;

/// Writes the program so that it does what the run did.
pub(super) struct Reproducer<'r> {
    obligation: &'r Obligation,
    recording: &'r Recording,
    variables: BTreeMap<VarId, Executions<'r>>,
    blocks: BTreeMap<SiteId, Executions<'r>>,
    /// The names of the counters that the file keeps while it runs.
    counters: BTreeSet<String>,
    /// Whether the file detects the failure by counting how often its statement runs.
    counts: bool,
    /// The source line of the statement written last.
    line: Option<(FileId, u32)>,
}

impl<'r> Reproducer<'r> {
    /// Makes the writer. The error says why the file cannot hold the values that the run took.
    pub(super) fn new(
        program: &Program,
        obligation: &'r Obligation,
        recording: &'r Recording,
    ) -> Result<Reproducer<'r>, String> {
        let mut variables: BTreeMap<VarId, Executions<'r>> = BTreeMap::new();
        let mut blocks: BTreeMap<SiteId, Executions<'r>> = BTreeMap::new();
        let parameters = &program.function(program.entry).parameters;
        let mut cells = 0;
        for (origin, parts) in &recording.objects {
            cells += parts.len();
            if parts.values().any(|p| !p.ty.is_scalar()) {
                return Err("reads a part of an object that C has no name for".to_owned());
            }
            match *origin {
                ObjectOrigin::Heap { site, execution } => _ = blocks.entry(site).or_default().insert(execution, parts),
                ObjectOrigin::Outside => return Err("reads a text from outside".to_owned()),
                ObjectOrigin::Variable { variable, execution } => {
                    let (execution, known) = match program.variable(variable).storage {
                        Storage::Global => (execution, true),
                        Storage::Parameter => (1, parameters.contains(&variable) && execution == 1),
                        Storage::Local => (execution, execution > 0),
                    };
                    if !known {
                        return Err("reads a variable whose declaration it has jumped over".to_owned());
                    }
                    variables.entry(variable).or_default().insert(execution, parts);
                }
            }
        }
        if cells > MOST_CELLS {
            return Err(format!("reads {cells} uninitialised cells"));
        }
        let mut made = Reproducer {
            obligation,
            recording,
            variables,
            blocks,
            counters: BTreeSet::new(),
            counts: false,
            line: None,
        };
        made.find_counters();
        made.counts = made.is_counted(program);
        Ok(made)
    }

    /// Whether the file detects the failure by counting how often its statement runs.
    pub(super) fn counts(&self) -> bool {
        self.counts
    }

    fn find_counters(&mut self) {
        for (v, executions) in &self.variables {
            let times = self.recording.declared.get(v).copied().unwrap_or(1);
            if is_single(executions, times).is_none() {
                self.counters.insert(counter_of_variable(*v));
            }
        }
        for (site, executions) in &self.blocks {
            let times = self.recording.allocated.get(site).copied().unwrap_or(1);
            if is_single(executions, times).is_none() {
                self.counters.insert(counter_of_block(*site));
            }
        }
    }

    fn is_counted(&self, program: &Program) -> bool {
        let key = self.obligation.key;
        let mut counts = false;
        program.each_stmt(|s| {
            counts |= match key {
                _ if !is_of(s, key) => false,
                ObligationKey::Assertion(_) => match &s.kind {
                    StmtKind::Claim(claim) => !claims::can_be_said(program.data_model, &claim.formula),
                    _ => false,
                },
                ObligationKey::Check(_, n) => {
                    check_of(program, s, n).is_some_and(|c| !conditions::can_be_said(&c.condition))
                }
            };
        });
        counts
    }

    /// Whether the arguments of the run are what this parameter of `main` leads to. (Otherwise,
    /// the run has either chosen an address for it or does not read it.)
    fn is_given_texts(&self, program: &Program, parameter: VarId) -> bool {
        let is_chosen = self.variables.contains_key(&parameter);
        !is_chosen && program.texts_of_entry().is_some_and(|(_, texts)| texts == parameter)
    }

    /// The texts that the run read.
    fn texts(&self, program: &Program) -> Vec<String> {
        let Recording { arguments, variable, .. } = self.recording;
        let mut lines = Vec::new();
        if program.function(program.entry).parameters.iter().any(|v| self.is_given_texts(program, *v)) {
            lines.push("/* The arguments of `main`. */".to_owned());
            for (n, argument) in arguments.iter().enumerate() {
                lines.push(format!("static char smalti_argument_{n}[] = {};", literal(argument)));
            }
            let names: String = (0..arguments.len()).map(|n| format!("smalti_argument_{n}, ")).collect();
            lines.push(format!("static char *smalti_arguments[] = {{{names}0}};"));
        }
        if let Some(text) = variable {
            lines.push("/* The variable of the environment that the run asks for. */".to_owned());
            lines.extend(text.as_ref().map(|text| format!("static char smalti_variable[] = {};", literal(text))));
            lines.push("__attribute__((unused)) static int smalti_asked;".to_owned());
        }
        lines
    }

    /// The text that the file prints at the failure.
    fn failure(&self, printer: &Printer<'_>) -> String {
        let Obligation { id, kind, location, condition, .. } = self.obligation;
        let place = printer.program().sources.describe(*location);
        literal(format!("{place}: {kind} violated: {condition} ({id})"))
    }

    fn lost(&self, printer: &Printer<'_>, stmt: &Stmt, what: &str) -> String {
        let place = printer.program().sources.describe(stmt.location);
        format!("smalti_lost({});", literal(format!("{place}: {what}")))
    }

    /// Assignments to the cells of an object, whose name is `object`.
    fn assignments(printer: &Printer<'_>, object: &str, parts: &BTreeMap<u64, RecordedCell>) -> Vec<String> {
        let mut lines = Vec::new();
        let mut parts = parts.values().peekable();
        while let Some(part) = parts.next() {
            let value = value_of(printer, part);
            // Neighbouring cells with the same value become a loop.
            let [Step::Index(first)] = part.path[..] else {
                lines.push(format!("{object}{} = {value};", path(printer, &part.path)));
                continue;
            };
            let mut last = first;
            while parts.next_if(|p| p.path == [Step::Index(last + 1)] && p.value == part.value).is_some() {
                last += 1;
            }
            lines.push(match last - first {
                0 => format!("{object}[{first}] = {value};"),
                _ => {
                    let k = printer.fresh("k");
                    format!("for (long {k} = {first}; {k} <= {last}; {k}++) {object}[{k}] = {value};")
                }
            });
        }
        lines
    }

    /// The same for the executions of a statement whose cells the run reads.
    fn begun(
        &self,
        printer: &Printer<'_>,
        object: &str,
        executions: &Executions<'_>,
        times: u64,
        counter: &str,
    ) -> Vec<String> {
        if let Some(parts) = is_single(executions, times) {
            return Self::assignments(printer, object, parts);
        }
        let mut lines = vec![format!("switch (++{counter}) {{")];
        for (execution, parts) in executions {
            let assignments = Self::assignments(printer, object, parts).join(" ");
            lines.push(format!("    case {execution}: {assignments} break;"));
        }
        lines.push("}".to_owned());
        lines
    }
}

/// Whether a variable of the environment is written there.
fn is_of_environment(program: &Program, target: &Lvalue) -> bool {
    target.as_var().is_some_and(|v| program.outside.get(&v) == Some(&Outside::Environment))
}

fn counter_of_variable(v: VarId) -> String {
    format!("smalti_declared_{}", v.0)
}

fn counter_of_block(site: SiteId) -> String {
    format!("smalti_allocated_{}", site.0)
}

/// The contents of the object in every execution, if they are the same in all.
fn is_single<'e>(executions: &Executions<'e>, times: u64) -> Option<&'e BTreeMap<u64, RecordedCell>> {
    let (_, first) = executions.first_key_value()?;
    let all = executions.len() as u64 >= times && executions.values().all(|parts| parts == first);
    all.then_some(first)
}

/// The access path inside an object, as C.
fn path(printer: &Printer<'_>, path: &[Step<u64>]) -> String {
    let step = |element: &Step<u64>| match element {
        Step::Index(i) => format!("[{i}]"),
        Step::Field(id, field) => format!(".{}", printer.member(*id, *field)),
    };
    path.iter().map(step).collect()
}

fn value_of(printer: &Printer<'_>, part: &RecordedCell) -> String {
    match &part.ty {
        Type::Pointer(_) if part.value == 0 => "0".to_owned(),
        Type::Pointer(_) => format!("(void *){}", integer(part.value)),
        Type::Int(kind) if kind.width(printer.program().data_model) < 32 => part.value.to_string(),
        _ => integer(part.value),
    }
}

impl Dialect for Reproducer<'_> {
    fn prelude(&mut self, printer: &Printer<'_>) -> Vec<String> {
        let program = printer.program();
        let mut lines: Vec<String> = RUNTIME.lines().map(str::to_owned).collect();
        if needs_stack(program, &self.recording.declared) {
            lines.extend(STACK.lines().map(str::to_owned));
        }
        if !self.recording.told.is_empty() {
            lines.push("/* What the run read, in order, and where. */".to_owned());
            lines.push("static const long long smalti_inputs[] = {".to_owned());
            for input in &self.recording.told {
                let place = comment(&program.sources.describe(input.at));
                lines.push(format!("    {}, /* {place} */", integer(input.value)));
            }
            lines.push("};".to_owned());
        }
        lines.push("__attribute__((unused)) static long long smalti_input(void) {".to_owned());
        if !self.recording.told.is_empty() {
            lines.push("    static unsigned long n;".to_owned());
            lines.push(
                "    if (n < sizeof smalti_inputs / sizeof *smalti_inputs) return smalti_inputs[n++];".to_owned(),
            );
        }
        lines.push("    smalti_lost(\"it reads no more values\");".to_owned());
        lines.push("}".to_owned());
        lines.extend(self.texts(program));
        if self.counts {
            lines.push("static unsigned long long smalti_visits;".to_owned());
        }
        lines.extend(self.counters.iter().map(|name| format!("static unsigned long long {name};")));
        lines
    }

    fn support(&mut self, printer: &Printer<'_>) -> Vec<String> {
        let program = printer.program();
        let mut lines = Vec::new();
        for &v in &program.globals {
            if let Type::Array(element, Length::Unknown) = &program.variable(v).ty {
                // The file must define it; the run does not look into it.
                let ty = Type::Array(element.clone(), Length::Constant(1));
                lines.push(format!("{};", printer.declarator(&ty, printer.variable(v))));
            }
        }
        for f in program.address_taken_functions() {
            let function = program.function(f);
            if function.body.is_none() {
                let what = literal(format!("it does not call `{}`, which has no body", function.name));
                let signature = printer.declarator(&function.result, &printer.signature(f));
                lines.push(format!("{signature} {{ smalti_lost({what}); }}"));
            }
        }
        lines
    }

    fn entry(&mut self, printer: &Printer<'_>) -> Vec<String> {
        let program = printer.program();
        let mut lines = Vec::new();
        // An object that no statement declares exists from the start.
        for (v, executions) in &self.variables {
            if let (Storage::Global, Some(parts)) = (program.variable(*v).storage, executions.get(&0)) {
                lines.extend(Self::assignments(printer, printer.variable(*v), parts));
            }
        }
        lines
    }

    fn entry_parameter(&mut self, printer: &Printer<'_>, parameter: VarId, name: &str) -> Vec<String> {
        let mut lines = vec![format!("__builtin_memset(&{name}, 0, sizeof {name});")];
        if self.is_given_texts(printer.program(), parameter) {
            let ty = printer.type_name(&printer.program().variable(parameter).ty);
            lines.push(format!("{name} = ({ty})smalti_arguments;"));
        }
        for parts in self.variables.get(&parameter).into_iter().flat_map(BTreeMap::values) {
            lines.extend(Self::assignments(printer, name, parts));
        }
        lines
    }

    fn note(&mut self, printer: &Printer<'_>, stmt: &Stmt) -> Option<String> {
        let line = Some((stmt.location.file, stmt.location.line));
        if line == self.line || matches!(stmt.kind, StmtKind::Skip | StmtKind::Label(..)) {
            return None;
        }
        self.line = line;
        let name = &printer.program().sources.file(stmt.location.file).name;
        Some(format!("/* {}:{} */", comment(name), stmt.location.line))
    }

    fn before(&mut self, printer: &Printer<'_>, stmt: &Stmt) -> Vec<String> {
        let ObligationKey::Check(site, n) = self.obligation.key else { return Vec::new() };
        let program = printer.program();
        if stmt.site != site {
            return Vec::new();
        }
        let Some(check) = check_of(program, stmt, n) else { return Vec::new() };
        let fails = match conditions::failure(printer, &check) {
            Some(condition) if !self.counts => condition,
            _ => format!("++smalti_visits == {}", self.recording.visits),
        };
        vec![format!("if ({fails}) smalti_undefined({});", self.failure(printer))]
    }

    fn input(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue, _input: InputId) -> Vec<String> {
        let value = match &target.ty {
            Type::Int(IntKind::Bool) => "smalti_input() != 0".to_owned(),
            Type::Pointer(_) => "(void *)smalti_input()".to_owned(),
            ty => format!("({})smalti_input()", printer.type_name(ty)),
        };
        vec![printer.assignment(target, &value)]
    }

    fn finding(&mut self, printer: &Printer<'_>, finding: &Finding) -> Vec<String> {
        let ExprKind::Load(target) = &finding.value.kind else { return vec![";".to_owned()] };
        let value = format!("({})smalti_input()", printer.type_name(&target.ty));
        vec![format!("if (smalti_input()) {}", printer.assignment(target, &value))]
    }

    fn declare(&mut self, printer: &Printer<'_>, stmt: &Stmt, v: VarId, _placement: Placement) -> Vec<String> {
        let Some(executions) = self.variables.get(&v) else { return Vec::new() };
        let object = printer.lvalue(&Lvalue::var(printer.program(), v, stmt.location));
        let times = self.recording.declared.get(&v).copied().unwrap_or(1);
        self.begun(printer, &object, executions, times, &counter_of_variable(v))
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
        let ty = printer.type_name(if *element == Type::Void { &Type::Int(IntKind::Char) } else { element });
        // A block of zero bytes has an address, too.
        let (count, size) = (printer.operand(count), format!("sizeof({ty})"));
        let call = format!("__builtin_calloc({count} ? {count} : 1, {size})");
        let mut lines = vec![printer.assignment(target, &call)];
        let pointer = printer.operand(&Expr::load(target.clone()));
        lines.push(format!("if (!{pointer}) {}", self.lost(printer, stmt, "there is no memory")));
        if zeroed {
            return lines;
        }
        if let Some(executions) = self.blocks.get(&stmt.site) {
            let object = format!("(({}){pointer})", printer.type_name(&element.clone().pointer_to()));
            let times = self.recording.allocated.get(&stmt.site).copied().unwrap_or(1);
            lines.extend(self.begun(printer, &object, executions, times, &counter_of_block(stmt.site)));
        }
        lines
    }

    fn havoc(&mut self, printer: &Printer<'_>, _stmt: &Stmt, target: &Lvalue) -> Vec<String> {
        if let (true, Some(text)) = (is_of_environment(printer.program(), target), &self.recording.variable) {
            let ty = printer.type_name(&target.ty);
            let value = text.as_ref().map_or("0".to_owned(), |_| format!("({ty})smalti_variable"));
            return vec![format!("if (!smalti_asked++) {}", printer.assignment(target, &value))];
        }
        // The run reads no other of these values.
        let stream = target.as_var().and_then(|v| interpreter::standard_stream(printer.program(), v));
        vec![match stream {
            Some(address) => printer.assignment(target, &format!("(void *){address}")),
            None => ";".to_owned(),
        }]
    }

    fn havoc_reachable(&mut self, _printer: &Printer<'_>, _stmt: &Stmt, _pointers: &[Expr]) -> Vec<String> {
        vec![";".to_owned()]
    }

    fn open_call(
        &mut self,
        printer: &Printer<'_>,
        stmt: &Stmt,
        _target: Option<&Lvalue>,
        callee: &Callee,
        _arguments: &[Expr],
    ) -> Option<Vec<String>> {
        let Callee::Function(f) = callee else { return None };
        let name = &printer.program().function(*f).name;
        Some(vec![self.lost(printer, stmt, &format!("it does not call `{name}`, which has no body"))])
    }

    fn assume(&mut self, printer: &Printer<'_>, stmt: &Stmt, condition: &Expr) -> Vec<String> {
        let lost = self.lost(printer, stmt, "this assumption holds in it");
        vec![format!("if (!({})) {lost}", printer.expr(condition))]
    }

    fn assert(&mut self, printer: &Printer<'_>, stmt: &Stmt, condition: &Expr, assertion: AssertionId) -> Vec<String> {
        let fails = if self.obligation.key == ObligationKey::Assertion(assertion) {
            format!("smalti_fail({});", self.failure(printer))
        } else {
            self.lost(printer, stmt, "this assertion holds in it")
        };
        vec![format!("if (!({})) {fails}", printer.expr(condition))]
    }

    fn claim(&mut self, printer: &Printer<'_>, _stmt: &Stmt, claim: &Claim) -> Vec<String> {
        let text = comment(&print::claim(printer.program(), claim));
        let key = claim.role.assertion().map(ObligationKey::Assertion);
        if key != Some(self.obligation.key) {
            return vec![format!("; /* {text} */")];
        }
        let fails = match claims::expression(printer, &claim.formula) {
            Some(holds) if !self.counts => format!("!({holds})"),
            _ => format!("++smalti_visits == {}", self.recording.visits),
        };
        vec![format!("if ({fails}) smalti_fail({}); /* {text} */", self.failure(printer))]
    }

    fn stop(&mut self, printer: &Printer<'_>, stmt: &Stmt) -> Vec<String> {
        vec![self.lost(printer, stmt, "it does not end here")]
    }
}
