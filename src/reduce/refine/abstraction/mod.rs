//! `abstract(P, V, R)`: section 4 of the paper.
//!
//! **Why it is sound.** Relate a state of the program to the states of the abstraction that agree
//! with it on what is kept. Every expression has, among the values that the abstraction may give
//! it, its value in the program: kept cells and scalars have their values. What is not kept is
//! drawn anew for each evaluation, so it may also be what the program reads. A statement that is
//! left out changes nothing that is kept. An index that is assumed to be in range is so in every
//! run without undefined behaviour, and other runs end there. So each step of the program is one of
//! the abstraction (theorem 1).

mod cases;
mod values;

use super::reads::PerRead;
use super::{AccessPath, Kept, Subject, constant, nowhere, place};
use crate::program::{
    AssertionId, BinaryOp, Block, CheckCondition, Expr, IntKind, Length, LengthOperand, Location, Loop, LoopKind,
    Lvalue, Program, SiteId, Stmt, StmtId, StmtKind, Storage, Type, VarId, checks_of,
};
use crate::reduce::terms;
use std::collections::{BTreeMap, HashMap};
use values::Is;

/// An event that a run of the abstraction passes, in terms of the statements of the subject (see
/// [`Abstraction::event`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The statement of that number begins.
    At(usize),
    /// The condition of the statement of that number is tested, with this result.
    Tested(usize, bool),
}

/// An abstraction of a program.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The program: no arrays, one scalar for each cell that is kept.
    pub program: Program,
    /// Statements without effect, at the places where an event of the subject happens.
    marks: HashMap<SiteId, Event>,
}

impl Abstraction {
    /// Builds the abstraction of a program that keeps these places.
    pub fn new(subject: &Subject, kept: &Kept) -> Abstraction {
        let mut writer = Writer {
            subject,
            program: subject.program.clone(),
            scalars: HashMap::new(),
            cells: BTreeMap::new(),
            marks: HashMap::new(),
            numbers: HashMap::new(),
            drawn: PerRead::default(),
            others: PerRead::default(),
            again: Vec::new(),
            next: 0,
            in_part: false,
        };
        super::path::number(&subject.body, &mut |s, n| {
            writer.numbers.insert(s.id(), n);
        });
        let at = nowhere(&subject.program);
        for place in &kept.scalars {
            let v = if place.path.is_empty() { place.variable } else { writer.fresh_for(place, None) };
            writer.scalars.insert(place.clone(), v);
        }
        for (array, numbers) in &kept.cells {
            for &n in numbers {
                let v = writer.fresh_for(array, Some(n));
                writer.cells.entry(array.clone()).or_default().push((n, v));
            }
        }
        let mut body = Block::new();
        // Globals and parameters begin with the entry. Their members and cells have arbitrary
        // values until the initialisers set them.
        let own: Vec<(AccessPath, VarId)> = writer.of_all();
        for (place, v) in own {
            if !place.path.is_empty() && writer.program.variable(place.variable).storage != Storage::Local {
                body.push(Stmt::new(StmtKind::Declare(v), SiteId(0), at));
            }
        }
        let text = writer.block(&subject.body);
        body.extend(text);
        let Writer { mut program, marks, .. } = writer;
        // Nothing is called, and no array remains: the model checker need not know of them.
        program.functions.iter_mut().for_each(|f| f.body = None);
        let places = subject.arrays.keys().chain(&subject.scalars).filter(|p| !p.path.is_empty());
        for place in places {
            program.variables[place.variable.0 as usize].ty = Type::INT;
        }
        let entry = program.entry.0 as usize;
        program.functions[entry].body = Some(body);
        Abstraction { program, marks }
    }
}

impl Abstraction {
    /// The event that a run passes at a statement without effect.
    pub fn event(&self, stmt: &Stmt) -> Option<Event> {
        matches!(stmt.kind, StmtKind::Skip).then(|| self.marks.get(&stmt.site).copied()).flatten()
    }

    /// The program without the statements that have no effect, for people.
    pub fn plain(&self) -> Program {
        let mut program = self.program.clone();
        let entry = program.entry.0 as usize;
        program.functions[entry].body.iter_mut().for_each(|b| remove_marks(b, &self.marks));
        program
    }
}

fn remove_marks(block: &mut Block, marks: &HashMap<SiteId, Event>) {
    block.retain(|s| !(matches!(s.kind, StmtKind::Skip) && marks.contains_key(&s.site)));
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(|inner| remove_marks(inner, marks));
}

struct Writer<'s> {
    subject: &'s Subject,
    program: Program,
    scalars: HashMap<AccessPath, VarId>,
    cells: BTreeMap<AccessPath, Vec<(u64, VarId)>>,
    marks: HashMap<SiteId, Event>,
    numbers: HashMap<StmtId, usize>,
    /// The variables that hold the values read in the current statement.
    drawn: PerRead<'s, VarId>,
    /// The variables that hold the value of a read if it is none of the cells that are kept.
    others: PerRead<'s, VarId>,
    /// For each enclosing loop that tests after its body: a variable that says whether a test comes
    /// next.
    again: Vec<VarId>,
    next: u32,
    /// Whether the current expression may not be evaluated when its statement runs. It may be
    /// defined only under the conditions before it.
    in_part: bool,
}

impl<'s> Writer<'s> {
    fn fresh_for(&mut self, place: &AccessPath, cell: Option<u64>) -> VarId {
        let name: String =
            self.subject.name(place).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let ty = place.type_at(&self.subject.program).unwrap_or(&Type::INT).clone();
        let name = cell.map_or(name.clone(), |n| format!("{}_{n}", name.trim_end_matches('_')));
        terms::fresh(&mut self.program, name, ty, nowhere(&self.subject.program))
    }

    /// All kept scalars and cells with their variables.
    fn of_all(&self) -> Vec<(AccessPath, VarId)> {
        let cells = self.cells.iter().flat_map(|(place, cells)| cells.iter().map(|(_, v)| (place.clone(), *v)));
        let mut all: Vec<(AccessPath, VarId)> =
            self.scalars.iter().map(|(p, v)| (p.clone(), *v)).chain(cells).collect();
        all.sort();
        all
    }

    fn mark(&mut self, event: Event, at: Location) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        self.marks.insert(site, event);
        Stmt::new(StmtKind::Skip, site, at)
    }

    fn block(&mut self, block: &'s Block) -> Block {
        let mut out = Block::new();
        for s in block {
            self.stmt(s, &mut out);
        }
        out
    }

    fn stmt(&mut self, s: &'s Stmt, out: &mut Block) {
        let number = self.numbers.get(&s.id()).copied().unwrap_or(usize::MAX);
        let at = s.location;
        let mark = self.mark(Event::At(number), at);
        self.drawn.clear();
        self.others.clear();
        match &s.kind {
            StmtKind::Block(b) => {
                let b = self.block(b);
                out.push(s.with(StmtKind::Block(b)));
            }
            StmtKind::Loop(l) => {
                out.push(mark);
                let l = self.looped(s, l, number);
                out.extend(l);
            }
            StmtKind::Label(..) => {
                // A jump goes to the statement after the label.
                out.push(s.with(s.kind.clone()));
                out.push(mark);
                // A jump into a body from outside leads to its test next.
                let one = |v: &VarId| terms::set(&self.program, *v, terms::int(1, at), s.site, at);
                out.extend(self.again.iter().map(one));
            }
            _ => {
                out.push(mark);
                self.marked(s, number, out);
            }
        }
    }

    /// A statement after its mark.
    fn marked(&mut self, s: &'s Stmt, number: usize, out: &mut Block) {
        let at = s.location;
        let push = |kind: StmtKind, out: &mut Block| out.push(s.with(kind));
        match &s.kind {
            StmtKind::Declare(v) => {
                self.guard(s, out);
                let inside: Vec<VarId> =
                    self.of_all().into_iter().filter(|(p, _)| p.variable == *v).map(|(_, v)| v).collect();
                inside.into_iter().for_each(|v| push(StmtKind::Declare(v), out));
            }
            StmtKind::Assign(l, e) => {
                let value = matches!(l.ty, Type::Int(_)).then(|| self.expr(e, out));
                self.guard(s, out);
                if let Some(value) = value {
                    self.assign(l, value, s, out);
                }
            }
            StmtKind::Input(l, id) => match place(l).and_then(|p| self.scalars.get(&p).copied()) {
                Some(v) => push(StmtKind::Input(Lvalue::var(&self.program, v, at), *id), out),
                None => {
                    if let Type::Int(_) = l.ty {
                        let value = self.draw(&l.ty, at, out);
                        self.guard(s, out);
                        self.assign(l, value, s, out);
                    }
                }
            },
            StmtKind::Zero(l) => {
                self.guard(s, out);
                self.whole(l, s, out, &mut |_, ty, _| Some(Expr::int(0, ty, at)));
            }
            StmtKind::Havoc(l) => {
                self.guard(s, out);
                self.whole(l, s, out, &mut |w, ty, out| Some(w.draw(&Type::Int(ty), at, out)));
            }
            StmtKind::If(c, a, b) => {
                let c = self.condition(c, out);
                self.guard(s, out);
                let mut then = vec![self.mark(Event::Tested(number, true), at)];
                then.extend(self.block(a));
                let mut otherwise = vec![self.mark(Event::Tested(number, false), at)];
                otherwise.extend(self.block(b));
                push(StmtKind::If(c, then, otherwise), out);
            }
            StmtKind::Assume(e) => {
                let e = self.condition(e, out);
                self.guard(s, out);
                push(StmtKind::Assume(e), out);
            }
            StmtKind::Assert(e, AssertionId(id)) => {
                let e = self.condition(e, out);
                self.guard(s, out);
                push(StmtKind::Assert(e, AssertionId(*id)), out);
            }
            StmtKind::Return(_) => push(StmtKind::Stop, out),
            kind => push(kind.clone(), out),
        }
    }

    /// A loop whose condition is tested inside, after its reads have been drawn.
    fn looped(&mut self, s: &'s Stmt, l: &'s Loop, number: usize) -> Block {
        let at = s.location;
        let mut test = Block::new();
        self.drawn.clear();
        self.others.clear();
        let condition = self.condition(&l.condition, &mut test);
        self.guard(s, &mut test);
        let leave = vec![self.mark(Event::Tested(number, false), at), Stmt::new(StmtKind::Break, s.site, at)];
        let go_on = vec![self.mark(Event::Tested(number, true), at)];
        test.push(Stmt::new(StmtKind::If(condition, go_on, leave), s.site, at));
        let again = (l.kind == LoopKind::DoWhile).then(|| terms::fresh(&mut self.program, "again", Type::INT, at));
        self.again.extend(again);
        let body = self.block(&l.body);
        let step = self.block(&l.step);
        let mut out = Block::new();
        let body = if let Some(again) = again {
            // `continue` goes to the test, so the test comes first. It is skipped once.
            self.again.pop();
            out.push(terms::set(&self.program, again, terms::int(0, at), s.site, at));
            let tested = StmtKind::If(terms::load(&self.program, again, at), test, Vec::new());
            let set = terms::set(&self.program, again, terms::int(1, at), s.site, at);
            let mut all = vec![Stmt::new(tested, s.site, at), set];
            all.extend(body);
            all
        } else {
            test.extend(body);
            test
        };
        let looped = Loop { id: l.id, kind: LoopKind::For, condition: terms::int(1, at), body, step };
        out.push(s.with(StmtKind::Loop(Box::new(looped))));
        out
    }

    /// Assumes what is known of indices and lengths if the statement completes.
    fn guard(&mut self, s: &'s Stmt, out: &mut Block) {
        let subject = self.subject;
        for check in checks_of(&subject.program, s) {
            let at = check.location;
            self.in_part = !check.guards.is_empty();
            let condition = match check.condition {
                CheckCondition::Index { index, length: Length::Constant(n) }
                    if constant(&subject.program, index).is_some_and(|i| (0..i128::from(n)).contains(&i)) =>
                {
                    continue;
                }
                CheckCondition::Index { index, length } => {
                    let Some(kind) = index.ty.as_int() else { continue };
                    let index = self.expr(index, out);
                    let zero = Expr::int(0, kind, at);
                    let low = terms::compare(BinaryOp::GreaterEqual, index.clone(), zero);
                    match self.length(length, at) {
                        Some(length) => {
                            let wide = |e: Expr| e.cast(Type::Int(IntKind::LongLong));
                            let high = terms::compare(BinaryOp::Less, wide(index), wide(length));
                            terms::and(low, high)
                        }
                        None => low,
                    }
                }
                CheckCondition::ArrayLength { length: LengthOperand::Variable(v), least } => {
                    let Some(length) = self.length(Length::Variable(v), at) else { continue };
                    let Some(kind) = length.ty.as_int() else { continue };
                    terms::compare(BinaryOp::GreaterEqual, length, Expr::int(least, kind, at))
                }
                _ => continue,
            };
            let mut all = condition;
            for guard in check.guards.iter().rev() {
                let passed = self.condition(guard.condition, out);
                let fails = if guard.holds { passed.negated() } else { passed };
                all = terms::or(fails, all);
            }
            out.push(Stmt::new(StmtKind::Assume(all), s.site, at));
        }
        self.in_part = false;
    }

    fn length(&self, length: Length, at: Location) -> Option<Expr> {
        match length {
            Length::Constant(n) => i64::try_from(n).ok().map(|n| Expr::int(n.into(), IntKind::LongLong, at)),
            Length::Variable(v) => {
                let v = self.scalars.get(&AccessPath { variable: v, path: Vec::new() })?;
                Some(terms::load(&self.program, *v, at))
            }
            Length::Unknown => None,
        }
    }

    /// Assigns the value to each kept scalar that the lvalue may be, if it is the one.
    fn assign(&mut self, l: &'s Lvalue, value: Expr, s: &'s Stmt, out: &mut Block) {
        let Some(place) = place(l) else { return };
        if let Some(&v) = self.scalars.get(&place) {
            out.push(terms::set(&self.program, v, value, s.site, s.location));
            return;
        }
        let cells = self.cells.get(&place).cloned().unwrap_or_default();
        if cells.is_empty() {
            return;
        }
        let mut tests = Vec::new();
        for (n, v) in cells {
            match self.is_cell(l, &place, n, out) {
                Is::Never => {}
                Is::If(is_it) => tests.push((is_it, v)),
                Is::Always => {
                    out.push(terms::set(&self.program, v, value, s.site, s.location));
                    return;
                }
            }
        }
        let value = if tests.len() > 1 {
            let new = terms::fresh(&mut self.program, "new", l.ty.clone(), s.location);
            out.push(terms::set(&self.program, new, value, s.site, s.location));
            terms::load(&self.program, new, s.location)
        } else {
            value
        };
        // The tests run one after the other until one holds. The value and the tests may read the
        // cells, so nothing is written before all of them are computed.
        let mut rest = Block::new();
        for (is_it, v) in tests.into_iter().rev() {
            let set = terms::set(&self.program, v, value.clone(), s.site, s.location);
            rest = vec![Stmt::new(StmtKind::If(is_it, vec![set], rest), s.site, s.location)];
        }
        out.extend(rest);
    }

    /// Gives all kept scalars inside an object values of their own.
    fn whole(
        &mut self,
        l: &'s Lvalue,
        s: &'s Stmt,
        out: &mut Block,
        value: &mut dyn FnMut(&mut Self, IntKind, &mut Block) -> Option<Expr>,
    ) {
        let at = s.location;
        for place in self.subject.below(l).unwrap_or_default() {
            let mut targets: Vec<(VarId, Is)> = Vec::new();
            if let Some(&v) = self.scalars.get(&place) {
                targets.push((v, Is::Always));
            }
            for (n, v) in self.cells.get(&place).cloned().unwrap_or_default() {
                // Only those count whose first indices are the lvalue's.
                targets.push((v, self.is_cell(l, &place, n, out)));
            }
            for (v, is_it) in targets {
                let Some(kind) = self.program.variable(v).ty.as_int() else { continue };
                let Some(value) = value(self, kind, out) else { continue };
                let set = terms::set(&self.program, v, value, s.site, at);
                match is_it {
                    Is::Always => out.push(set),
                    Is::If(is_it) => out.push(Stmt::new(StmtKind::If(is_it, vec![set], Vec::new()), s.site, at)),
                    Is::Never => {}
                }
            }
        }
    }
}
