//! Whole programs: functions, statements, and the `main` that starts them.

use super::dialect::always_true;
use super::{Dialect, Placement, Printer, does_nothing, types};
use crate::program::{
    Block, Callee, Expr, ExprKind, Function, FunctionId, Length, Loop, LoopKind, Lvalue, Presumption, Stmt, StmtKind,
    Storage, Type, VarId,
};

pub(super) fn program<D: Dialect>(printer: &Printer<'_>, dialect: &mut D) -> String {
    let mut out = Out {
        printer,
        dialect,
        text: String::new(),
        indent: 0,
        continues: Vec::new(),
        scopes: Vec::new(),
        labels: 0,
        note: None,
    };
    out.file();
    out.text
}

struct Out<'a, 'p, D> {
    printer: &'a Printer<'p>,
    dialect: &'a mut D,
    text: String,
    indent: usize,
    /// The open loops.
    continues: Vec<Continue>,
    /// For each open block, the variables declared in it so far. The parameters come first.
    scopes: Vec<Vec<VarId>>,
    labels: u32,
    /// A comment for the next line.
    note: Option<String>,
}

/// How `continue` is written in a loop.
struct Continue {
    /// The label that it jumps to, if C's own `continue` would skip something.
    label: Option<String>,
    /// How many blocks are open around the body.
    around: usize,
}

impl<D: Dialect> Out<'_, '_, D> {
    fn line(&mut self, line: &str) {
        if !line.is_empty() {
            for _ in 0..self.indent {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
            if let Some(note) = self.note.take() {
                self.text.push(' ');
                self.text.push_str(&note);
            }
        }
        self.text.push('\n');
    }

    fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|l| self.line(l));
    }

    fn file(&mut self) {
        let printer = self.printer;
        let program = printer.program;
        let prelude = self.dialect.prelude(printer);
        self.lines(&prelude);
        self.line("");
        self.lines(&types::definitions(printer));
        for &v in &program.globals {
            let variable = program.variable(v);
            let keyword = match variable.ty {
                Type::Array(_, Length::Unknown) => "extern ",
                _ => "static ",
            };
            self.line(&format!("{keyword}{};", printer.declarator(&variable.ty, printer.variable(v))));
        }
        let entry = printer.layout.entry_is_main.then_some(program.entry);
        for (n, function) in program.functions.iter().enumerate() {
            let needed = function.body.is_some() || printer.layout.called[n];
            if needed && entry != Some(FunctionId(n as u32)) {
                let header = self.header(FunctionId(n as u32), function);
                self.line(&format!("{header};"));
            }
        }
        let support = self.dialect.support(printer);
        self.lines(&support);
        let initialised = !does_nothing(&program.initialisers);
        if initialised {
            self.line("");
            self.line(&format!("static void {}smalti_initialise(void)", self.dialect.prefix()));
            self.line("{");
            self.body(&program.initialisers, None);
            self.line("}");
        }
        for (n, function) in program.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                let id = FunctionId(n as u32);
                self.line("");
                let header =
                    if entry == Some(id) { self.main_header(&function.result) } else { self.header(id, function) };
                self.line(&header);
                self.line("{");
                if entry == Some(id) {
                    self.start(initialised);
                }
                self.body(body, Some(id));
                self.line("}");
            }
        }
        if entry.is_none() {
            self.driver(initialised);
        }
    }

    fn main_header(&self, result: &Type) -> String {
        self.printer.declarator(result, &format!("{}main(void)", self.dialect.prefix()))
    }

    fn start(&mut self, initialised: bool) {
        self.indent += 1;
        let lines = self.dialect.entry(self.printer);
        self.lines(&lines);
        if initialised {
            self.line(&format!("{}smalti_initialise();", self.dialect.prefix()));
        }
        self.indent -= 1;
    }

    /// A `main` that calls the entry function with arbitrary arguments.
    fn driver(&mut self, initialised: bool) {
        let printer = self.printer;
        let program = printer.program;
        let entry = program.function(program.entry);
        self.line("");
        let header = self.main_header(&Type::INT);
        self.line(&header);
        self.line("{");
        self.start(initialised);
        self.indent += 1;
        let mut names = Vec::new();
        for &p in &entry.parameters {
            let name = printer.fresh("argument");
            let ty = if printer.placement(p) == Placement::Erased || program.variable(p).ty.is_variably_modified() {
                Type::Void.pointer_to()
            } else {
                program.variable(p).ty.clone()
            };
            self.line(&format!("{};", printer.declarator(&ty, &name)));
            let lines = self.dialect.entry_parameter(printer, p, &name);
            self.lines(&lines);
            names.push(name);
        }
        if entry.body.is_some() {
            self.line(&format!("{}({});", printer.function(program.entry), names.join(", ")));
        }
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn header(&self, id: FunctionId, function: &Function) -> String {
        self.linkage(function, &signature(self.printer, id))
    }

    fn linkage(&self, function: &Function, signature: &str) -> String {
        let keyword = if function.body.is_some() { "static" } else { "extern" };
        format!("{keyword} {}", self.printer.declarator(&function.result, signature))
    }

    /// Writes the inside of a function's braces.
    fn body(&mut self, block: &Block, function: Option<FunctionId>) {
        self.indent += 1;
        self.scopes.clear();
        if let Some(id) = function {
            let printer = self.printer;
            self.scopes.push(printer.program.function(id).parameters.clone());
            for (n, variable) in printer.program.variables.iter().enumerate().filter(|(n, v)| {
                v.storage == Storage::Local
                    && printer.layout.owners[*n] == Some(id)
                    && printer.layout.placements[*n] != Placement::Here
            }) {
                let name = printer.variable(crate::program::VarId(n as u32));
                let line = match printer.layout.placements[n] {
                    Placement::Erased => format!("void *{name};"),
                    _ => format!("{};", printer.declarator(&variable.ty, name)),
                };
                self.line(&line);
            }
            let lines = self.dialect.enters(printer, id);
            self.lines(&lines);
        }
        self.statements(block);
        self.leave(0);
        self.indent -= 1;
    }

    /// Writes that control leaves all blocks but the given number of outer ones.
    fn leave(&mut self, around: usize) {
        for v in self.scopes.get(around..).unwrap_or_default().concat() {
            let lines = self.dialect.ends(self.printer, v);
            self.lines(&lines);
        }
    }

    fn statements(&mut self, block: &Block) {
        self.scopes.push(Vec::new());
        for stmt in block {
            self.note = self.dialect.note(self.printer, stmt);
            let lines = match stmt.kind {
                // The lines before a loop belong before each evaluation of its condition.
                StmtKind::Loop(_) => Vec::new(),
                _ => self.dialect.before(self.printer, stmt),
            };
            self.lines(&lines);
            self.stmt(stmt);
        }
        self.leave(self.scopes.len() - 1);
        self.scopes.pop();
    }

    fn braced(&mut self, block: &Block) {
        self.indent += 1;
        self.statements(block);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let printer = self.printer;
        match &stmt.kind {
            StmtKind::Declare(v) => self.declaration(stmt, *v),
            StmtKind::Assign(lvalue, e) => {
                let line = self.assignment(lvalue, e);
                self.line(&format!("{line};"));
            }
            StmtKind::Call { target, callee, arguments } => {
                self.call(stmt, target.as_ref(), callee, arguments);
                let lines = target.iter().flat_map(|t| self.dialect.returned(printer, t, callee)).collect::<Vec<_>>();
                self.lines(&lines);
            }
            StmtKind::If(c, a, b) => self.branch(c, a, b),
            StmtKind::Loop(l) => self.repeat(stmt, l),
            StmtKind::Block(b) => {
                self.line("{");
                self.braced(b);
                self.line("}");
            }
            StmtKind::Label(id, _) => {
                self.line(&format!("{}:;", printer.label(*id)));
                let lines = self.dialect.after_label(printer, *id);
                self.lines(&lines);
            }
            StmtKind::Goto(id) => self.line(&format!("goto {};", printer.label(*id))),
            StmtKind::Break | StmtKind::Continue => {
                let (around, label) = self.continues.last().map_or((0, None), |l| (l.around, l.label.clone()));
                self.leave(around);
                match (&stmt.kind, label) {
                    (StmtKind::Break, _) => self.line("break;"),
                    (_, Some(label)) => self.line(&format!("goto {label};")),
                    _ => self.line("continue;"),
                }
            }
            StmtKind::Return(value) => {
                self.leave(0);
                match value {
                    None => self.line("return;"),
                    Some(e) => self.line(&format!("return {};", self.converted(e))),
                }
            }
            StmtKind::Presume(Presumption::Finds(finding)) => {
                let lines = self.dialect.finding(self.printer, finding);
                self.lines(&lines);
            }
            StmtKind::Blocks(_) | StmtKind::Snapshot(_) | StmtKind::Presume(_) | StmtKind::Skip => self.line(";"),
            StmtKind::Input(..)
            | StmtKind::Zero(_)
            | StmtKind::Havoc(_)
            | StmtKind::HavocReachable(_)
            | StmtKind::Allocate { .. }
            | StmtKind::Assume(_)
            | StmtKind::Assert(..)
            | StmtKind::Claim(_)
            | StmtKind::Stop => {
                let lines = self.in_dialect(stmt);
                self.lines(&lines);
            }
        }
    }

    /// Writes the statements that C cannot express.
    fn in_dialect(&mut self, stmt: &Stmt) -> Vec<String> {
        let printer = self.printer;
        match &stmt.kind {
            StmtKind::Input(lvalue, id) => self.dialect.input(printer, stmt, lvalue, *id),
            StmtKind::Zero(lvalue) => self.dialect.zero(printer, stmt, lvalue),
            StmtKind::Havoc(lvalue) => self.dialect.havoc(printer, stmt, lvalue),
            StmtKind::HavocReachable(reached) => self.dialect.havoc_reachable(printer, stmt, &reached.pointers),
            StmtKind::Allocate { target, element, count, zeroed } => {
                self.dialect.allocate(printer, stmt, target, element, count, *zeroed)
            }
            StmtKind::Assume(c) => self.dialect.assume(printer, stmt, c),
            StmtKind::Assert(c, id) => self.dialect.assert(printer, stmt, c, *id),
            StmtKind::Claim(claim) => self.dialect.claim(printer, stmt, claim),
            StmtKind::Stop => self.dialect.stop(printer, stmt),
            _ => Vec::new(),
        }
    }

    fn declaration(&mut self, stmt: &Stmt, v: VarId) {
        let printer = self.printer;
        let variable = printer.program.variable(v);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(v);
        }
        match printer.placement(v) {
            Placement::Here => self.line(&format!("{};", printer.declarator(&variable.ty, printer.variable(v)))),
            Placement::Erased if matches!(variable.ty, Type::Array(..)) => {
                let size = format!("sizeof({})", printer.type_name(&variable.ty));
                let storage = self.dialect.storage(&size);
                self.line(&format!("{} = {storage};", printer.variable(v)));
            }
            _ => {}
        }
        let lines = self.dialect.declare(printer, stmt, v, printer.placement(v));
        self.lines(&lines);
    }

    /// An expression at a place where C converts to its type implicitly: constants of the narrow
    /// types need no cast there.
    fn converted(&self, e: &Expr) -> String {
        match (e.as_int(), &e.ty) {
            (Some(n), Type::Int(kind)) if kind.width(self.printer.program.data_model) < 32 => n.to_string(),
            (Some(n), Type::Pointer(_)) => n.to_string(),
            _ => self.printer.expr(e),
        }
    }

    fn assignment(&self, lvalue: &Lvalue, e: &Expr) -> String {
        let erased = lvalue.as_var().is_some_and(|v| self.printer.placement(v) == Placement::Erased);
        let e = if erased { untyped(e) } else { e };
        let value = if lvalue.ty == e.ty { self.converted(e) } else { self.printer.expr(e) };
        format!("{} = {value}", self.printer.lvalue(lvalue))
    }

    fn call(&mut self, stmt: &Stmt, target: Option<&Lvalue>, callee: &Callee, arguments: &[Expr]) {
        let printer = self.printer;
        let open = match callee {
            Callee::Function(f) => printer.program.function(*f).body.is_none(),
            Callee::Pointer(_) => true,
        };
        if open && let Some(lines) = self.dialect.open_call(printer, stmt, target, callee, arguments) {
            self.lines(&lines);
            return;
        }
        let parameters = match callee {
            Callee::Function(f) => printer.program.function(*f).parameters.as_slice(),
            Callee::Pointer(_) => &[],
        };
        let list: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(n, a)| match parameters.get(n) {
                Some(p) if printer.placement(*p) == Placement::Erased => printer.expr(untyped(a)),
                _ => printer.expr(a),
            })
            .collect();
        let called = match callee {
            Callee::Function(f) => printer.function(*f).to_owned(),
            Callee::Pointer(p) => {
                let types: Vec<String> = arguments.iter().map(|a| printer.type_name(&a.ty)).collect();
                let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
                let result = target.map_or(&Type::Void, |t| &t.ty);
                format!("(({}){})", printer.declarator(result, &format!("(*)({types})")), printer.operand(p))
            }
        };
        let call = format!("{called}({})", list.join(", "));
        match target {
            Some(t) => self.line(&printer.assignment(t, &call)),
            None => self.line(&format!("{call};")),
        }
    }

    fn branch(&mut self, condition: &Expr, then: &Block, otherwise: &Block) {
        let mut head = format!("if ({}) {{", self.printer.expr(condition));
        let mut then = then;
        let mut otherwise = otherwise;
        loop {
            self.line(&head);
            self.braced(then);
            if does_nothing(otherwise) {
                break;
            }
            let [Stmt { kind: StmtKind::If(c, a, b), .. }] = &otherwise[..] else {
                self.line("} else {");
                self.braced(otherwise);
                break;
            };
            let lines = self.dialect.before(self.printer, &otherwise[0]);
            if !lines.is_empty() {
                self.line("} else {");
                self.indent += 1;
                self.lines(&lines);
                self.branch(c, a, b);
                self.indent -= 1;
                break;
            }
            head = format!("}} else if ({}) {{", self.printer.expr(c));
            then = a;
            otherwise = b;
        }
        self.line("}");
    }

    fn repeat(&mut self, stmt: &Stmt, l: &Loop) {
        let printer = self.printer;
        let before = self.dialect.before(printer, stmt);
        let iteration = self.dialect.iteration(printer, stmt);
        let condition = printer.expr(&l.condition);
        let steps = self.step_expression(l);
        // C's own forms of loops can be used if nothing stands before the test.
        let plain = before.is_empty() && (does_nothing(&l.step) || steps.is_some() && l.kind != LoopKind::DoWhile);
        if plain {
            let head = match (l.kind, steps) {
                (LoopKind::DoWhile, _) => "do {".to_owned(),
                (_, Some(steps)) if !steps.is_empty() => format!("for (; {condition}; {steps}) {{"),
                _ => format!("while ({condition}) {{"),
            };
            self.line(&head);
            self.indent += 1;
            self.lines(&iteration);
            self.indent -= 1;
            self.continues.push(Continue { label: None, around: self.scopes.len() });
            self.braced(&l.body);
            self.continues.pop();
            let tail = if l.kind == LoopKind::DoWhile { format!("}} while ({condition});") } else { "}".to_owned() };
            self.line(&tail);
            return;
        }
        let do_while = l.kind == LoopKind::DoWhile;
        self.labels += 1;
        let label = format!("smalti_continue_{}", self.labels);
        let by_label = has_continue(&l.body) && (do_while || !does_nothing(&l.step));
        self.line(if do_while { "do {" } else { "while (1) {" });
        self.indent += 1;
        self.lines(&iteration);
        if !do_while {
            self.lines(&before);
            if !always_true(&l.condition) {
                self.line(&format!("if (!({condition})) break;"));
            }
        }
        // The body has braces of its own: no jump to the step may enter the scope of one of its
        // arrays.
        self.continues.push(Continue { label: by_label.then(|| label.clone()), around: self.scopes.len() });
        self.line("{");
        self.braced(&l.body);
        self.line("}");
        self.continues.pop();
        if by_label {
            self.line(&format!("{label}:;"));
        }
        if !does_nothing(&l.step) {
            self.line("{");
            self.braced(&l.step);
            self.line("}");
        }
        if do_while {
            self.lines(&before);
        }
        self.indent -= 1;
        let tail = if do_while { format!("}} while ({condition});") } else { "}".to_owned() };
        self.line(&tail);
    }

    /// The step of a loop as one C expression, if it can be one.
    fn step_expression(&mut self, l: &Loop) -> Option<String> {
        let mut parts = Vec::new();
        for s in &l.step {
            match &s.kind {
                StmtKind::Assign(lvalue, e) => parts.push(self.assignment(lvalue, e)),
                StmtKind::Presume(Presumption::Finds(_)) => return None,
                StmtKind::Snapshot(_) | StmtKind::Presume(_) | StmtKind::Skip => continue,
                _ => return None,
            }
        }
        let quiet = l.step.iter().all(|s| self.dialect.before(self.printer, s).is_empty());
        quiet.then(|| parts.join(", "))
    }
}

/// The name and the parameters of a function.
pub(super) fn signature(printer: &Printer<'_>, id: FunctionId) -> String {
    let function = printer.program.function(id);
    let parameter = |&p: &VarId| match printer.placement(p) {
        Placement::Erased => format!("void *{}", printer.variable(p)),
        _ => printer.declarator(&printer.program.variable(p).ty, printer.variable(p)),
    };
    let mut parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    // The parameters of a function without a body may not be known. C wants a named parameter
    // before `...`.
    if parameters.is_empty() && (function.variadic || function.body.is_none()) {
        return format!("{}()", printer.function(id));
    }
    if function.variadic {
        parameters.push("...".to_owned());
    }
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{}({list})", printer.function(id))
}

/// Removes conversions from a pointer that becomes a `void *`: they do not matter, and their types
/// may have lengths that are not known yet.
fn untyped(mut e: &Expr) -> &Expr {
    while let ExprKind::Cast(inner) = &e.kind
        && matches!((&e.ty, &inner.ty), (Type::Pointer(_), Type::Pointer(_)))
    {
        e = inner;
    }
    e
}

/// Whether a block has a `continue` of the loop that it is the body of.
fn has_continue(block: &Block) -> bool {
    block.iter().any(|s| match &s.kind {
        StmtKind::Continue => true,
        StmtKind::If(_, a, b) => has_continue(a) || has_continue(b),
        StmtKind::Block(b) => has_continue(b),
        _ => false,
    })
}
