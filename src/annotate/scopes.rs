//! What names mean in the copies of functions that an inlined program is made of.

use crate::inline::Inlined;
use crate::program::{
    Base, Block, Callee, Expr, ExprKind, FileId, FunctionId, Location, LoopId, Origin, Part, Program, SiteId, Stmt,
    StmtId, StmtKind, Storage, Use, VarId, Variable, each_part, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// What a name means at one moment.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// The visible variables, by name.
    pub names: BTreeMap<String, VarId>,
    /// At the end of a function: the names that mean the same in its contract (globals, and
    /// parameters that nothing changes).
    pub contract: BTreeSet<String>,
    /// At the end of a function: the variable with the result.
    pub result: Option<VarId>,
    /// At the end of a function: the variables that outlive it, apart from globals.
    pub outer: BTreeSet<VarId>,
}

/// The places of an inlined program at which annotations stand, with what names mean there.
pub(crate) struct AnnotatedPlaces {
    /// The loops.
    pub loops: HashMap<StmtId, LoopPlace>,
    /// The ends of the copies of functions.
    pub ends: Vec<FunctionEnd>,
}

/// A loop in one copy of a function.
pub(crate) struct LoopPlace {
    pub id: LoopId,
    pub function: FunctionId,
    pub scope: Rc<Scope>,
}

/// The end of one copy of a function.
pub(crate) struct FunctionEnd {
    pub function: FunctionId,
    /// The last statement of the copy; `None` for the entry.
    pub last: Option<StmtId>,
    pub scope: Rc<Scope>,
    /// The statements that a run reaches at that moment.
    pub before: Vec<StmtId>,
}

/// The loops and the ends of the functions of `source` in an inlined program, or in what a pass has
/// made of one. `body` is what runs.
pub(crate) fn annotated_places(source: &Program, program: &Program, body: &Block) -> AnnotatedPlaces {
    let mut walker = Walker::new(source, program);
    let entry = source.entry;
    walker.statements(body);
    let scope = walker.scope(true, None);
    let mut before = Vec::new();
    each_stmt(body, &mut |s| {
        if matches!(s.kind, StmtKind::Return(_)) {
            before.push(s.id());
        }
    });
    // The generated function that only calls the function under analysis is not a function of the
    // source.
    if !source.function(entry).origin.is_hidden() {
        walker.ends.push(FunctionEnd { function: entry, last: None, scope, before });
    }
    AnnotatedPlaces { loops: walker.loops, ends: walker.ends }
}

/// For each statement of the inlined program: what names mean right after it. Statements that
/// belong to no function have no entry.
pub(crate) fn scopes(source: &Program, inlined: &Inlined) -> HashMap<StmtId, Rc<Scope>> {
    let mut walker = Walker::new(source, &inlined.program);
    walker.after = Some(HashMap::new());
    if let Some(body) = &inlined.program.function(source.entry).body {
        walker.statements(body);
    }
    walker.after.unwrap_or_default()
}

/// The calls of the source, by site. A block of the inlined program with the site of a call is a
/// copy of the called function.
pub(crate) fn calls(source: &Program) -> HashMap<SiteId, FunctionId> {
    let mut found = HashMap::new();
    source.each_stmt(|s| {
        if let StmtKind::Call { callee: Callee::Function(f), .. } = s.kind {
            found.insert(s.site, f);
        }
    });
    found
}

/// The begin and end of each function with a body. All its statements and declarations lie between
/// the two.
pub(crate) fn bodies(source: &Program) -> Vec<(Location, Location, FunctionId)> {
    let mut bodies: Vec<(Location, Location, FunctionId)> = Vec::new();
    for (n, f) in source.functions.iter().enumerate() {
        let mut ends: Option<(Location, Location)> = None;
        f.body.iter().for_each(|body| {
            each_stmt(body, &mut |s| {
                let (low, high) = ends.unwrap_or((s.location, s.location));
                ends = Some((low.min(s.location), high.max(s.location)));
            });
        });
        bodies.extend(ends.map(|(low, high)| (low, high, FunctionId(n as u32))));
    }
    // Declarations stand between the name and the first statement too. A name that stands before
    // the body of another function is that of an earlier declaration.
    let starts: Vec<Location> = bodies
        .iter()
        .map(|(low, _, f)| {
            let name = source.function(*f).location;
            let others = bodies.iter().filter(|b| b.1 < *low && b.1.file == low.file).map(|b| b.1).max();
            if name.file == low.file { name.min(*low).max(others.unwrap_or(name)) } else { others.unwrap_or(*low) }
        })
        .collect();
    for (body, start) in bodies.iter_mut().zip(starts) {
        body.0 = start.min(body.0);
    }
    bodies
}

struct Frame {
    function: FunctionId,
    /// The variables of the open blocks, in the order of their declarations.
    visible: Vec<VarId>,
}

struct Walker<'a> {
    source: &'a Program,
    program: &'a Program,
    calls: HashMap<SiteId, FunctionId>,
    frames: Vec<Frame>,
    loops: HashMap<StmtId, LoopPlace>,
    ends: Vec<FunctionEnd>,
    /// The globals that a function sees.
    globals: HashMap<FunctionId, Rc<BTreeMap<String, VarId>>>,
    /// The names of macros. After its definition, such a name can mean nothing else.
    macros: BTreeSet<&'a str>,
    /// What names mean after each statement, if requested.
    after: Option<HashMap<StmtId, Rc<Scope>>>,
    /// What names mean now, if nothing was declared since this was computed.
    current: Option<Rc<Scope>>,
}

impl<'a> Walker<'a> {
    /// Starts at the beginning of the entry.
    fn new(source: &'a Program, program: &'a Program) -> Walker<'a> {
        let visible = program.function(source.entry).parameters.clone();
        Walker {
            source,
            program,
            calls: calls(source),
            frames: vec![Frame { function: source.entry, visible }],
            loops: HashMap::new(),
            ends: Vec::new(),
            globals: HashMap::new(),
            macros: macros(source),
            after: None,
            current: None,
        }
    }

    fn block(&mut self, block: &Block) {
        let before = self.frames.last().map_or(0, |f| f.visible.len());
        self.statements(block);
        if let Some(frame) = self.frames.last_mut()
            && frame.visible.len() > before
        {
            frame.visible.truncate(before);
            self.current = None;
        }
    }

    /// Notes what names mean after a statement.
    fn note(&mut self, stmt: &Stmt) {
        if self.after.is_some() {
            let scope = self.current.take().unwrap_or_else(|| self.scope(false, None));
            self.current = Some(scope.clone());
            self.after.iter_mut().for_each(|all| _ = all.insert(stmt.id(), scope.clone()));
        }
    }

    fn statements(&mut self, block: &[Stmt]) {
        for stmt in block {
            if let StmtKind::Declare(v) = &stmt.kind
                && let Some(frame) = self.frames.last_mut()
            {
                frame.visible.push(*v);
                self.current = None;
            }
            self.note(stmt);
            match &stmt.kind {
                StmtKind::If(_, a, b) => {
                    self.block(a);
                    self.block(b);
                }
                StmtKind::Loop(l) => {
                    let function = self.frames.last().map_or(self.source.entry, |f| f.function);
                    let scope = self.scope(false, None);
                    self.loops.insert(stmt.id(), LoopPlace { id: l.id, function, scope });
                    self.block(&l.body);
                    self.block(&l.step);
                }
                StmtKind::Block(b) => match self.calls.get(&stmt.site).copied() {
                    Some(f) => self.call(f, b),
                    None => self.block(b),
                },
                _ => {}
            }
        }
    }

    /// Walks through the copy of a function: the declarations and values of its parameters, its
    /// body, and the use of the result.
    fn call(&mut self, function: FunctionId, inside: &Block) {
        self.frames.push(Frame { function, visible: Vec::new() });
        self.current = None;
        let result = inside.iter().find_map(|s| match s.kind {
            StmtKind::Declare(v) if matches!(self.program.variable(v).origin, Origin::ResultOf(_)) => Some(v),
            _ => None,
        });
        let mut body = &inside[..];
        let mut before = Vec::new();
        if let (Some((last, rest)), Some(r)) = (body.split_last(), result)
            && let StmtKind::Assign(_, value) = &last.kind
            && reads(value, r)
        {
            body = rest;
            before.push(last.id());
        }
        self.statements(body);
        if let Some(last) = body.last() {
            let scope = self.scope(true, result);
            if matches!(last.kind, StmtKind::Label(..)) {
                before.push(last.id());
            }
            self.ends.push(FunctionEnd { function, last: Some(last.id()), scope, before });
        }
        self.frames.pop();
        self.current = None;
        // The use of the result belongs to the caller.
        inside[body.len()..].iter().for_each(|stmt| self.note(stmt));
    }

    fn scope(&mut self, end: bool, result: Option<VarId>) -> Rc<Scope> {
        let Some(frame) = self.frames.last() else { return Rc::default() };
        let function = frame.function;
        let globals = self.globals.entry(function).or_insert_with(|| {
            let at = self.source.function(function).location;
            Rc::new(visible_globals(self.source, at))
        });
        let mut scope = Scope { names: (**globals).clone(), result, ..Scope::default() };
        for v in &frame.visible {
            let variable = self.program.variable(*v);
            if is_name(variable) {
                scope.names.insert(variable.name.clone(), *v);
            }
        }
        let other = self.source.block_names.other.get(&self.source.function(function).name);
        scope.names.retain(|n, _| !self.macros.contains(n.as_str()) && other.is_none_or(|names| !names.contains(n)));
        if end {
            let shadowed = |name: &String| globals.get(name) != scope.names.get(name);
            let mut contract: BTreeSet<String> = globals.keys().filter(|n| !shadowed(n)).cloned().collect();
            let parameters = &self.source.function(function).parameters;
            for p in parameters.iter().filter(|p| is_fixed(self.source, function, **p)) {
                // The copy of a parameter has its name and its place; a local of that name in the
                // outermost block is an error in C.
                let parameter = self.source.variable(*p);
                let same = |v: &&VarId| self.program.variable(**v).location == parameter.location;
                if scope.names.get(&parameter.name).filter(same).is_some() {
                    contract.insert(parameter.name.clone());
                }
            }
            scope.contract = contract;
            scope.outer = self.frames.iter().rev().skip(1).flat_map(|f| f.visible.iter().copied()).collect();
        }
        Rc::new(scope)
    }
}

/// Whether annotations may name the variable.
fn is_name(variable: &Variable) -> bool {
    let mut letters = variable.name.chars();
    !variable.is_hidden()
        && letters.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && letters.all(|c| c == '_' || c.is_ascii_alphanumeric())
}

fn reads(e: &Expr, v: VarId) -> bool {
    use ExprKind;
    match &e.kind {
        ExprKind::Load(l) => l.as_var() == Some(v),
        ExprKind::Cast(a) => reads(a, v),
        _ => false,
    }
}

/// The globals that a function can name: those declared before it in its file, and those of
/// headers. Two of one name (a header's `static`, in several files) are not distinguished.
fn visible_globals(source: &Program, at: Location) -> BTreeMap<String, VarId> {
    let header = |file: FileId| {
        let name = &source.sources.file(file).name;
        std::path::Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("h"))
    };
    let mut names = BTreeMap::new();
    let mut several = BTreeSet::new();
    for v in source.globals.iter().filter(|v| !source.block_names.globals.contains(v)) {
        let variable = source.variable(*v);
        let seen = variable.location.file == at.file && variable.location < at || header(variable.location.file);
        if variable.storage == Storage::Global
            && seen
            && is_name(variable)
            && names.insert(variable.name.clone(), *v).is_some()
        {
            several.insert(variable.name.as_str());
        }
    }
    names.retain(|name, _| !several.contains(name.as_str()));
    names
}

/// The names of macros without parameters.
fn macros(source: &Program) -> BTreeSet<&str> {
    let name = |line: &'_ str| -> Option<std::ops::Range<usize>> {
        let define = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let text = define.trim_start();
        let end = text.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let start = line.len() - text.len();
        (text.len() < define.len() && !text[end..].starts_with('(')).then_some(start..start + end)
    };
    let files = source.sources.files.iter();
    files.flat_map(|f| f.text.lines()).filter_map(|line| name(line).map(|range| &line[range])).collect()
}

/// Whether a parameter keeps its value: nothing in the function writes it or takes its address.
fn is_fixed(source: &Program, function: FunctionId, parameter: VarId) -> bool {
    let Some(body) = &source.function(function).body else { return false };
    let mut fixed = true;
    each_stmt(body, &mut |s| {
        each_part(s, &mut |part| {
            if let Part::Lvalue(l, Use::Write | Use::Address) = part
                && matches!(l.base, Base::Var(v) if v == parameter)
            {
                fixed = false;
            }
        });
    });
    fixed
}

/// Whether a word is reserved in the annotation language (ACSL), though C allows it as a name. No
/// annotation uses such a word as a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "admit",
        "allocates",
        "assert",
        "assigns",
        "assumes",
        "at",
        "axiom",
        "axiomatic",
        "behavior",
        "behaviors",
        "boolean",
        "breaks",
        "calls",
        "check",
        "complete",
        "continues",
        "custom",
        "data",
        "decreases",
        "disjoint",
        "ensures",
        "exits",
        "ext",
        "frees",
        "function",
        "ghost",
        "global",
        "impact",
        "import",
        "include",
        "inductive",
        "instanceof",
        "integer",
        "invariant",
        "label",
        "lemma",
        "let",
        "library",
        "logic",
        "loop",
        "model",
        "module",
        "pragma",
        "predicate",
        "reads",
        "real",
        "requires",
        "returns",
        "slice",
        "strong",
        "terminates",
        "type",
        "variant",
        "writes",
    ];
    KEYWORDS.contains(&word)
}
