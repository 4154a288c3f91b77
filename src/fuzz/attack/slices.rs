//! Checks slices of a program against their definition: they give the same values at the obligation
//! in the same order.
//!
//! The interpreter runs the program and its slice. Assignments before the obligation's statement
//! record what it reads. An assignment before every condition that became a choice records its
//! outcome, and the slice then makes the same choice.

use super::Looked;
use crate::interpreter::{self, CellOrigin, Environment, Limits, ObjectOrigin, Observer, Outcome, Seen, State};
use crate::program::{
    Block, Expr, ExprKind, FileId, Fold, InputId, IntKind, Location, LoopKind, Lvalue, Obligation, ObligationKey,
    ObligationKind, Origin, Program, SiteId, Step, Stmt, StmtKind, Storage, Type, VarId, Variable, VisitMut,
    obligations,
};
use crate::reduce::dependence::{Dependence, NodeId, Role};
use crate::reduce::slice::{Kind, Slice};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

const LIMITS: Limits = Limits { steps: 100_000, cells: 1 << 20, depth: 200, ..Limits::NONE };

/// The largest number of assertions, and of checks, that are examined.
const MOST: usize = 3;

/// Compares slices of each kind with runs, for the first assertions and for some checks.
///
/// # Errors
/// The description of a bug: a run of a slice in which the statement of an obligation sees other
/// values, or runs more or less often.
pub(super) fn check(program: &Program, seed: u64) -> Result<Looked, String> {
    let mut looked = Looked::default();
    // The thesis defines slices that leave choices free for one procedure without jumps.
    let mut jumps = false;
    program.each_stmt(|s| jumps |= matches!(s.kind, StmtKind::Goto(_)));
    let assertions = obligations(program, &[ObligationKind::Assertion]);
    let checks = obligations(program, &[ObligationKind::Bounds, ObligationKind::Division, ObligationKind::Overflow]);
    let apart = checks.len() / MOST + 1;
    let first = usize::try_from(seed).unwrap_or_default() % apart;
    for o in assertions.iter().take(MOST).chain(checks.iter().skip(first).step_by(apart)) {
        for kind in [Kind::Backward, Kind::Value, Kind::Thin] {
            let structured = !jumps && o.function == "main";
            hold(program, o, kind, seed, structured, &mut looked).map_err(|why| format!("{}: {why}", o.id))?;
        }
    }
    Ok(looked)
}

/// Whether an obligation stands at a statement.
fn is_at(stmt: &Stmt, about: ObligationKey) -> bool {
    match (about, &stmt.kind) {
        (ObligationKey::Check(site, _), _) => stmt.site == site,
        (ObligationKey::Assertion(about), StmtKind::Assert(_, id)) => *id == about,
        (ObligationKey::Assertion(about), StmtKind::Claim(claim)) => claim.role.assertion() == Some(about),
        _ => false,
    }
}

/// The expressions that a statement evaluates.
fn evaluated(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Assign(l, e) => l.path.iter().filter_map(index).chain([e]).collect(),
        StmtKind::If(e, ..) | StmtKind::Assume(e) | StmtKind::Assert(e, _) | StmtKind::Return(Some(e)) => vec![e],
        StmtKind::Loop(l) => vec![&l.condition],
        StmtKind::Call { arguments, .. } => arguments.iter().collect(),
        _ => Vec::new(),
    }
}

fn index(step: &Step) -> Option<&Expr> {
    match step {
        Step::Index(index) => Some(index),
        Step::Field(..) => None,
    }
}

/// The program with assignments that record what the obligation's statement reads, and the outcomes
/// of conditions.
struct Noted {
    program: Program,
    /// The variables that record what the obligation's statement reads.
    values: Vec<VarId>,
    /// The variables that record the outcomes of conditions, by the site of the statement.
    ways: HashMap<SiteId, VarId>,
}

struct Notes<'a> {
    program: Program,
    about: ObligationKey,
    conditions: &'a BTreeSet<SiteId>,
    noted: Vec<VarId>,
    ways: HashMap<SiteId, VarId>,
}

fn note(program: &Program, about: ObligationKey, conditions: &BTreeSet<SiteId>) -> Noted {
    let mut notes = Notes { program: program.clone(), about, conditions, noted: Vec::new(), ways: HashMap::new() };
    for n in 0..program.functions.len() {
        if let Some(body) = &program.functions[n].body {
            let body = notes.rebuilt(body);
            notes.program.functions[n].body = Some(body);
        }
    }
    Noted { program: notes.program, values: notes.noted, ways: notes.ways }
}

impl Notes<'_> {
    fn variable(&mut self, ty: Type) -> VarId {
        let location = Location { file: FileId(0), line: 1, column: 0 };
        let id = self.program.add_variable(Variable {
            name: "note".into(),
            origin: Origin::Pass,
            ty,
            storage: Storage::Global,
            constant: false,
            location,
        });
        self.program.globals.push(id);
        id
    }

    fn set(&mut self, v: VarId, value: Expr, like: &Stmt) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        let target = Lvalue::var(&self.program, v, like.location);
        let value = value.cast(target.ty.clone());
        Stmt::new(StmtKind::Assign(target, value), site, like.location)
    }

    /// Assignments of what the statement evaluates.
    fn values(&mut self, stmt: &Stmt, out: &mut Block) {
        let mut reads = Vec::new();
        evaluated(stmt).into_iter().for_each(|e| unguarded(e, &mut reads));
        for (n, read) in reads.into_iter().enumerate() {
            if self.noted.len() <= n {
                let v = self.variable(read.ty.clone());
                self.noted.push(v);
            }
            let set = self.set(self.noted[n], read, stmt);
            out.push(set);
        }
    }
}

impl Fold for Notes<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, stmt: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let at = is_at(stmt, self.about);
        let is_noted = self.conditions.contains(&stmt.site);
        if at && !matches!(&stmt.kind, StmtKind::Loop(l) if l.kind == LoopKind::DoWhile) {
            self.values(stmt, out);
        }
        match &stmt.kind {
            StmtKind::If(c, ..) if is_noted => {
                let v = self.variable(Type::Int(IntKind::Bool));
                self.ways.insert(stmt.site, v);
                out.push(self.set(v, c.clone(), stmt));
                self.fold_inside(stmt, out)?;
            }
            StmtKind::Loop(l) => {
                let mut l = self.fold_loop(l)?;
                if is_noted {
                    let v = self.variable(Type::Int(IntKind::Bool));
                    self.ways.insert(stmt.site, v);
                    if l.kind != LoopKind::DoWhile {
                        out.push(self.set(v, l.condition.clone(), stmt));
                    }
                    l.step.push(self.set(v, l.condition.clone(), stmt));
                }
                if at {
                    self.values(stmt, &mut l.step);
                }
                out.push(stmt.with(StmtKind::Loop(Box::new(l))));
            }
            _ => self.fold_inside(stmt, out)?,
        }
        Ok(())
    }
}

/// The integers that an expression certainly reads, and its own value.
fn unguarded(e: &Expr, found: &mut Vec<Expr>) {
    if matches!(e.ty, Type::Int(_)) {
        found.push(e.clone());
    }
    match &e.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::And(a, _) | ExprKind::Or(a, _) => unguarded(a, found),
        ExprKind::Binary(_, a, b) => {
            unguarded(a, found);
            unguarded(b, found);
        }
        _ => {}
    }
}

/// Removes the other assertions: they end runs, and slices leave them out.
struct WithoutOthers(ObligationKey);

impl VisitMut for WithoutOthers {
    fn parts(&mut self, s: &mut Stmt) {
        let asserts = match &s.kind {
            StmtKind::Assert(..) => true,
            StmtKind::Claim(c) => c.role.assertion().is_some(),
            _ => false,
        };
        if asserts && !is_at(s, self.0) {
            s.kind = StmtKind::Skip;
        }
    }
}

fn without_others(program: &Program, about: ObligationKey) -> Program {
    let mut program = program.clone();
    program.functions.iter_mut().filter_map(|f| f.body.as_mut()).for_each(|b| WithoutOthers(about).block(b));
    program
}

/// The values for a run, and the values of an earlier run.
struct Values {
    seed: u64,
    run: u32,
    asked: HashMap<InputId, u64>,
    /// For a slice: the values that the program's run took, in order, and the outcomes of
    /// conditions.
    replay: Option<HashMap<InputId, VecDeque<i128>>>,
    /// The inputs whose values are chosen at random, and the number of the draw. All other values
    /// are those of the program's run.
    wild: BTreeSet<InputId>,
    draw: usize,
    /// The slice asked for an input that the program's run did not take.
    beyond: bool,
    shared: Rc<RefCell<Shared>>,
}

#[derive(Default)]
struct Shared {
    /// Whether the current statement belongs to the slice and to a call that the slice keeps.
    kept: bool,
    inputs: HashMap<InputId, VecDeque<i128>>,
    beyond: bool,
}

impl Values {
    fn value(&self, what: impl Hash) -> i128 {
        let mut hasher = DefaultHasher::new();
        (self.seed, self.run, what).hash(&mut hasher);
        let bits = hasher.finish();
        let small = i128::from(bits >> 8) % 9 - 2;
        if bits.is_multiple_of(7) { i128::from(bits >> 40) } else { small }
    }
}

impl Environment for Values {
    fn input(&mut self, id: InputId, _: &Type, _: Location) -> i128 {
        let count = self.asked.entry(id).or_default();
        *count += 1;
        let count = *count;
        if self.wild.contains(&id) {
            return self.value((2u8, id, count, self.draw)) & 1;
        }
        let fresh = self.value((0u8, id, count));
        match &mut self.replay {
            Some(replay) => match replay.get_mut(&id).and_then(VecDeque::pop_front) {
                Some(value) => value,
                None => {
                    self.beyond = true;
                    self.shared.borrow_mut().beyond = true;
                    0
                }
            },
            None => {
                let mut shared = self.shared.borrow_mut();
                if shared.kept {
                    shared.inputs.entry(id).or_default().push_back(fresh);
                }
                fresh
            }
        }
    }

    fn arbitrary(&mut self, cell: &CellOrigin<'_>, _: &Type) -> i128 {
        match cell.object {
            // A slice may read it first at another place.
            ObjectOrigin::Variable { variable, .. } => self.value((1u8, variable.0, cell.leaf)),
            ObjectOrigin::Heap { .. } | ObjectOrigin::Outside => self.value((1u8, cell.location, cell.leaf)),
        }
    }

    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        0
    }
}

/// Records the values that reach the obligation, and the outcomes of conditions for the slice.
struct Watch<'a> {
    noted: &'a Noted,
    about: ObligationKey,
    /// The sites of the slice, and those of its calls.
    sites: &'a BTreeSet<SiteId>,
    calls: Vec<SiteId>,
    trace: Vec<Vec<Option<Seen>>>,
    ways: HashMap<SiteId, VecDeque<i128>>,
    shared: Rc<RefCell<Shared>>,
}

impl Watch<'_> {
    /// The values that the obligation's statement sees.
    fn seen(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        if is_at(stmt, self.about) && !self.shared.borrow().beyond {
            self.trace.push(self.noted.values.iter().map(|&v| state.scalar(v)).collect());
        }
    }

    fn way(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        if self.shared.borrow().kept
            && let Some(v) = self.noted.ways.get(&stmt.site)
            && let Some(Seen::Int(n)) = state.scalar(*v)
        {
            self.ways.entry(stmt.site).or_default().push_back(n);
        }
    }

    fn context(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        // The call of the entry function has no statement.
        self.calls.truncate(state.depth().saturating_sub(1));
        let kept = self.calls.iter().all(|c| self.sites.contains(c));
        self.shared.borrow_mut().kept =
            kept && (self.sites.contains(&stmt.site) || !matches!(stmt.kind, StmtKind::Input(..)));
        if let StmtKind::Call { .. } = stmt.kind {
            self.calls.push(stmt.site);
        }
    }
}

impl Observer for Watch<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        self.context(stmt, state);
        if let StmtKind::If(..) = stmt.kind {
            self.way(stmt, state);
        }
        // The condition of a loop is seen at its tests.
        if !matches!(stmt.kind, StmtKind::Loop(_)) {
            self.seen(stmt, state);
        }
    }

    fn test(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        self.calls.truncate(state.depth().saturating_sub(1));
        let kept = self.calls.iter().all(|c| self.sites.contains(c));
        self.shared.borrow_mut().kept = kept;
        self.way(stmt, state);
        self.seen(stmt, state);
    }
}

fn sites(program: &Program) -> BTreeSet<SiteId> {
    let mut found = BTreeSet::new();
    program.each_stmt(|s| _ = found.insert(s.site));
    found
}

fn hold(
    program: &Program,
    obligation: &Obligation,
    kind: Kind,
    seed: u64,
    structured: bool,
    looked: &mut Looked,
) -> Result<(), String> {
    let graph = Dependence::new(program).map_err(|r| r.reason)?;
    let about = obligation.key;
    let Ok(slice) = Slice::new(&graph, [obligation], kind, &BTreeSet::new()) else { return Ok(()) };
    looked.obligations += 1;
    let site_of = |n: &NodeId| match graph.role(*n) {
        Role::Predicate(s) => s.site,
        role => panic!("a choice for {role:?}"),
    };
    let conditions: BTreeSet<SiteId> = slice.choices.values().map(site_of).collect();
    let original = note(&without_others(program, about), about, &conditions);
    let reduced = note(&slice.program, about, &BTreeSet::new());
    let kept = sites(&slice.program);
    for run in 0..6 {
        let shared = Rc::new(RefCell::new(Shared::default()));
        let mut values = Values {
            seed,
            run,
            asked: HashMap::new(),
            replay: None,
            wild: BTreeSet::new(),
            draw: 0,
            beyond: false,
            shared: shared.clone(),
        };
        let watch = |noted, shared: &Rc<RefCell<Shared>>| Watch {
            noted,
            about,
            sites: &kept,
            calls: Vec::new(),
            trace: Vec::new(),
            ways: HashMap::new(),
            shared: shared.clone(),
        };
        let mut first = watch(&original, &shared);
        let whole = interpreter::run(&original.program, &mut values, &mut first, &LIMITS);
        if whole.havocs > 0 {
            continue;
        }
        looked.runs += 1;
        let mut given = shared.borrow().inputs.clone();
        for (input, node) in &slice.choices {
            given.insert(*input, first.ways.get(&site_of(node)).cloned().unwrap_or_default());
        }
        let wilds: &[bool] = if structured && kind == Kind::Value { &[false, true, true] } else { &[false] };
        for (draw, &wild) in wilds.iter().enumerate() {
            let shared = Rc::new(RefCell::new(Shared::default()));
            let choices: BTreeSet<InputId> = slice.choices.keys().copied().collect();
            let mut values = Values {
                seed,
                run,
                asked: HashMap::new(),
                replay: Some(given.clone()),
                wild: if wild { choices } else { BTreeSet::new() },
                draw,
                beyond: false,
                shared: shared.clone(),
            };
            let mut second = watch(&reduced, &shared);
            let part = interpreter::run(&reduced.program, &mut values, &mut second, &LIMITS);
            let pair = Pair {
                outcomes: (&whole.outcome, &part.outcome),
                traces: (&first.trace, &second.trace),
                beyond: values.beyond,
            };
            looked.states += pair.length() as u64;
            if let Some(what) = pair.difference(wild) {
                return Err(format!("run {run}, {} slice, {what}\n{}", kind.name(), pair.describe()));
            }
        }
    }
    Ok(())
}

/// A run of a program, and the run of its slice.
struct Pair<'r> {
    outcomes: (&'r Outcome, &'r Outcome),
    /// The values that the obligation's statement sees, for each of its executions.
    traces: (&'r [Vec<Option<Seen>>], &'r [Vec<Option<Seen>>]),
    /// The slice has taken inputs that the program did not take.
    beyond: bool,
}

impl Pair<'_> {
    fn length(&self) -> usize {
        self.traces.0.len().min(self.traces.1.len())
    }

    /// A difference that a slice must not have. If its choices are `wild`, the number of executions
    /// of the obligation's statement does not matter.
    fn difference(&self, wild: bool) -> Option<&'static str> {
        let (first, second) = self.traces;
        let finished = matches!(self.outcomes.0, Outcome::Finished | Outcome::Stopped | Outcome::AssertionFailed(_));
        match self.outcomes.1 {
            _ if first[..self.length()] != second[..self.length()] => {
                Some(if wild { "other values with other choices" } else { "other values" })
            }
            _ if wild => None,
            Outcome::LimitReached(_) | Outcome::Unsupported { .. } => None,
            _ if second.len() < first.len() => Some("comes to the obligation less often"),
            _ if finished && second.len() != first.len() => Some("comes to the obligation more often"),
            _ if finished && self.beyond => Some("takes inputs that the program does not take"),
            _ => None,
        }
    }

    fn describe(&self) -> String {
        let (first, second) = self.traces;
        format!("program: {:?} {first:?}\nslice: {:?} {second:?}", self.outcomes.0, self.outcomes.1)
    }
}
