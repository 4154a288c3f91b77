//! `abstract(P, V, R)`: section 4 of the paper.
//!
//! **Why it is sound.** Relate a state of the program to the states of the abstraction that agree with it on what is kept. Every expression has, among
//! the values that the abstraction may give it, the one that it has in the program: kept cells and scalars have their values, and what is not
//! kept is drawn anew for each evaluation, so also as what the program reads. A statement that is left out changes nothing that is
//! kept. The indices that are assumed to be in range are so in every run without undefined behaviour, and other runs end there. So each
//! step of the program is one of the abstraction (theorem 1).

use super::{Kept, Place, Subject, digits, indices, nowhere, place};
use crate::program::{
    AssertionId, BinaryOp, Block, CheckCondition, Expr, ExprKind, InputId, IntKind, Length, LengthOperand, Location,
    Loop, LoopKind, Lvalue, Program, SiteId, Stmt, StmtKind, Storage, Type, VarId, Variable, checks_of,
};
use crate::reduce::terms;
use std::collections::{BTreeMap, HashMap};

/// What a run of the abstraction passes, in terms of the statements of the subject (see [`Abstraction::event`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The statement of that number begins.
    At(usize),
    /// The condition of the statement of that number is tested: whether it holds.
    Tested(usize, bool),
}

/// An abstraction of a program.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The program: no arrays, one scalar for each cell that is kept.
    pub program: Program,
    /// Statements that do nothing, at the places where something of the subject happens.
    marks: HashMap<SiteId, Event>,
}

impl Abstraction {
    /// The abstraction of a program that keeps these.
    pub fn new(subject: &Subject, kept: &Kept) -> Abstraction {
        let mut writer = Writer {
            subject,
            program: subject.program.clone(),
            scalars: HashMap::new(),
            cells: BTreeMap::new(),
            marks: HashMap::new(),
            numbers: HashMap::new(),
            drawn: HashMap::new(),
            again: Vec::new(),
            next: 0,
        };
        super::path::number(&subject.body, &mut |s, n| {
            writer.numbers.insert(std::ptr::from_ref(s), n);
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
        // Globals and parameters begin with the entry: members and cells of theirs are any value until the initialisers set them.
        let own: Vec<(Place, VarId)> = writer.of_all();
        for (place, v) in own {
            if !place.path.is_empty() && writer.program.variable(place.variable).storage != Storage::Local {
                body.push(terms::stmt(StmtKind::Declare(v), SiteId(0), at));
            }
        }
        let text = writer.block(&subject.body);
        body.extend(text);
        let Writer { mut program, marks, .. } = writer;
        // Nothing is called, and no array is left: the model checker need not hear of them.
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
    /// What a run passes at a statement that does nothing.
    pub fn event(&self, stmt: &Stmt) -> Option<Event> {
        matches!(stmt.kind, StmtKind::Skip).then(|| self.marks.get(&stmt.site).copied()).flatten()
    }

    /// The program without the statements that do nothing, for people.
    pub fn plain(&self) -> Program {
        let mut program = self.program.clone();
        let entry = program.entry.0 as usize;
        let body = program.functions[entry].body.take();
        program.functions[entry].body = body.map(|b| without_marks(b, &self.marks));
        program
    }
}

fn without_marks(block: Block, marks: &HashMap<SiteId, Event>) -> Block {
    let one = |mut s: Stmt| {
        match &mut s.kind {
            StmtKind::Skip if marks.contains_key(&s.site) => return None,
            StmtKind::If(_, a, b) => {
                *a = without_marks(std::mem::take(a), marks);
                *b = without_marks(std::mem::take(b), marks);
            }
            StmtKind::Block(b) => *b = without_marks(std::mem::take(b), marks),
            StmtKind::Loop(l) => {
                l.body = without_marks(std::mem::take(&mut l.body), marks);
                l.step = without_marks(std::mem::take(&mut l.step), marks);
            }
            _ => {}
        }
        Some(s)
    };
    block.into_iter().filter_map(one).collect()
}

struct Writer<'s> {
    subject: &'s Subject,
    program: Program,
    scalars: HashMap<Place, VarId>,
    cells: BTreeMap<Place, Vec<(u64, VarId)>>,
    marks: HashMap<SiteId, Event>,
    numbers: HashMap<*const Stmt, usize>,
    /// What is read of things that are not kept, in the statement at hand: by the address of the lvalue.
    drawn: HashMap<*const Lvalue, VarId>,
    /// Of the loops around that test behind their bodies: whether a test comes next.
    again: Vec<VarId>,
    next: u32,
}

impl<'s> Writer<'s> {
    fn fresh_for(&mut self, place: &Place, cell: Option<u64>) -> VarId {
        let name: String =
            self.subject.name(place).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut ty = self.subject.program.variable(place.variable).ty.clone();
        for step in &place.path {
            ty = match (step, ty) {
                (None, Type::Array(element, _)) => *element,
                (Some(n), Type::Struct(id)) => {
                    let members = &self.subject.program.structure(id).members;
                    members.get(*n as usize).map_or(Type::INT, |m| m.ty.clone())
                }
                (_, ty) => ty,
            };
        }
        let name = cell.map_or(name.clone(), |n| format!("{}_{n}", name.trim_end_matches('_')));
        terms::fresh(&mut self.program, name, ty, nowhere(&self.subject.program))
    }

    /// All kept scalars and cells with their variables.
    fn of_all(&self) -> Vec<(Place, VarId)> {
        let cells = self.cells.iter().flat_map(|(place, cells)| cells.iter().map(|(_, v)| (place.clone(), *v)));
        let mut all: Vec<(Place, VarId)> = self.scalars.iter().map(|(p, v)| (p.clone(), *v)).chain(cells).collect();
        all.sort();
        all
    }

    fn mark(&mut self, event: Event, at: Location) -> Stmt {
        let site = SiteId(self.program.counters.sites);
        self.program.counters.sites += 1;
        self.marks.insert(site, event);
        terms::stmt(StmtKind::Skip, site, at)
    }

    fn block(&mut self, block: &'s Block) -> Block {
        let mut out = Block::new();
        for s in block {
            self.stmt(s, &mut out);
        }
        out
    }

    fn stmt(&mut self, s: &'s Stmt, out: &mut Block) {
        let number = self.numbers.get(&std::ptr::from_ref(s)).copied().unwrap_or(usize::MAX);
        let at = s.location;
        let mark = self.mark(Event::At(number), at);
        self.drawn.clear();
        let push = |kind: StmtKind, out: &mut Block| out.push(Stmt { kind, ..*s });
        match &s.kind {
            StmtKind::Block(b) => {
                let b = self.block(b);
                push(StmtKind::Block(b), out);
                return;
            }
            StmtKind::Loop(l) => {
                out.push(mark);
                let l = self.looped(s, l, number);
                out.extend(l);
                return;
            }
            StmtKind::Label(..) => {
                // A jump comes to what stands behind the label.
                push(s.kind.clone(), out);
                out.push(mark);
                // Whoever jumps into a body from outside comes to its test next.
                let one = |v: &VarId| terms::set(&self.program, *v, terms::int(1, at), s.site, at);
                out.extend(self.again.iter().map(one));
                return;
            }
            _ => out.push(mark),
        }
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

    /// A loop whose condition is tested inside, behind the drawing of what it reads.
    fn looped(&mut self, s: &'s Stmt, l: &'s Loop, number: usize) -> Block {
        let at = s.location;
        let mut test = Block::new();
        self.drawn.clear();
        let condition = self.condition(&l.condition, &mut test);
        self.guard(s, &mut test);
        let leave = vec![self.mark(Event::Tested(number, false), at), terms::stmt(StmtKind::Break, s.site, at)];
        let go_on = vec![self.mark(Event::Tested(number, true), at)];
        test.push(terms::stmt(StmtKind::If(condition, go_on, leave), s.site, at));
        let again = (l.kind == LoopKind::DoWhile).then(|| terms::fresh(&mut self.program, "again", Type::INT, at));
        self.again.extend(again);
        let body = self.block(&l.body);
        let step = self.block(&l.step);
        let mut out = Block::new();
        let body = if let Some(again) = again {
            // `continue` goes to the test, so the test stands first, and is left out once.
            self.again.pop();
            out.push(terms::set(&self.program, again, terms::int(0, at), s.site, at));
            let tested = StmtKind::If(terms::load(&self.program, again, at), test, Vec::new());
            let set = terms::set(&self.program, again, terms::int(1, at), s.site, at);
            let mut all = vec![terms::stmt(tested, s.site, at), set];
            all.extend(body);
            all
        } else {
            test.extend(body);
            test
        };
        let looped = Loop { id: l.id, kind: LoopKind::For, condition: terms::int(1, at), body, step };
        out.push(Stmt { kind: StmtKind::Loop(Box::new(looped)), ..*s });
        out
    }

    /// What is known of indices and lengths where the statement goes on.
    fn guard(&mut self, s: &'s Stmt, out: &mut Block) {
        let subject = self.subject;
        for check in checks_of(&subject.program, s) {
            let at = check.location;
            let condition = match check.condition {
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
            out.push(terms::stmt(StmtKind::Assume(all), s.site, at));
        }
    }

    fn length(&self, length: Length, at: Location) -> Option<Expr> {
        match length {
            Length::Constant(n) => i64::try_from(n).ok().map(|n| Expr::int(n.into(), IntKind::LongLong, at)),
            Length::Variable(v) => {
                let v = self.scalars.get(&Place { variable: v, path: Vec::new() })?;
                Some(terms::load(&self.program, *v, at))
            }
            Length::Unknown => None,
        }
    }

    /// A value that may be any.
    fn draw(&mut self, ty: &Type, at: Location, out: &mut Block) -> Expr {
        self.next += 1;
        let variable =
            Variable { name: format!("any_{}", self.next), ty: ty.clone(), storage: Storage::Local, location: at };
        let v = self.program.add_variable(variable);
        let input = InputId(self.program.counters.inputs);
        self.program.counters.inputs += 1;
        out.push(terms::stmt(StmtKind::Input(Lvalue::var(&self.program, v, at), input), SiteId(0), at));
        terms::load(&self.program, v, at)
    }

    fn condition(&mut self, e: &'s Expr, out: &mut Block) -> Expr {
        match e.ty {
            Type::Int(_) => self.expr(e, out),
            _ => self.draw(&Type::INT, e.location, out),
        }
    }

    /// The abstract expression; `e` is of an integer type. What it draws is drawn before the statement, once.
    fn expr(&mut self, e: &'s Expr, out: &mut Block) -> Expr {
        let is_int = |e: &Expr| matches!(e.ty, Type::Int(_));
        let kind = match &e.kind {
            ExprKind::Int(_) => return e.clone(),
            ExprKind::Load(l) => return self.load(l, e, out),
            ExprKind::Unary(op, a) if is_int(a) => ExprKind::Unary(*op, Box::new(self.expr(a, out))),
            ExprKind::Cast(a) if is_int(a) => ExprKind::Cast(Box::new(self.expr(a, out))),
            ExprKind::Binary(op, a, b) if is_int(a) && is_int(b) => {
                ExprKind::Binary(*op, Box::new(self.expr(a, out)), Box::new(self.expr(b, out)))
            }
            ExprKind::And(a, b) => ExprKind::And(Box::new(self.condition(a, out)), Box::new(self.condition(b, out))),
            ExprKind::Or(a, b) => ExprKind::Or(Box::new(self.condition(a, out)), Box::new(self.condition(b, out))),
            ExprKind::Conditional(c, a, b) => ExprKind::Conditional(
                Box::new(self.condition(c, out)),
                Box::new(self.expr(a, out)),
                Box::new(self.expr(b, out)),
            ),
            // Floats, pointers and addresses are not looked at.
            _ => return self.draw(&e.ty, e.location, out),
        };
        Expr { kind, ty: e.ty.clone(), location: e.location }
    }

    fn load(&mut self, l: &'s Lvalue, e: &'s Expr, out: &mut Block) -> Expr {
        let at = e.location;
        let Some(place) = place(l) else { return self.draw(&e.ty, at, out) };
        if let Some(&v) = self.scalars.get(&place) {
            return terms::load(&self.program, v, at);
        }
        let address = std::ptr::from_ref(l);
        let cells = self.cells.get(&place).cloned().unwrap_or_default();
        let mut value = match self.drawn.get(&address) {
            Some(&v) => terms::load(&self.program, v, at),
            // Where every cell is kept, nothing else is read.
            None => {
                let value = self.draw(&e.ty, at, out);
                if let ExprKind::Load(l) = &value.kind
                    && let Some(v) = l.as_var()
                {
                    self.drawn.insert(address, v);
                }
                value
            }
        };
        for (n, v) in cells.into_iter().rev() {
            let Some(is_it) = self.is_cell(l, &place, n, out) else { continue };
            value = terms::conditional(is_it, terms::load(&self.program, v, at), value);
        }
        value
    }

    /// Whether an lvalue is the cell of that number. `None` if its type of indices cannot say.
    fn is_cell(&mut self, l: &'s Lvalue, place: &Place, n: u64, out: &mut Block) -> Option<Expr> {
        let lengths = self.subject.arrays.get(place)?;
        let mut all: Option<Expr> = None;
        for (index, digit) in indices(l).into_iter().zip(digits(lengths, n)) {
            let kind = index.ty.as_int()?;
            let index = self.expr(index, out);
            let digit = Expr::int(i128::from(digit), kind, l.location);
            let equal = terms::compare(BinaryOp::Equal, index, digit);
            all = Some(match all {
                None => equal,
                Some(others) => terms::and(others, equal),
            });
        }
        all
    }

    /// All kept scalars that the lvalue may be become the value, each if it is the one.
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
        // In parallel: the value may be that of a cell, and so may the index.
        let new = terms::fresh(&mut self.program, "new", l.ty.clone(), s.location);
        let mut tests = Vec::new();
        for (n, v) in cells {
            let Some(is_it) = self.is_cell(l, &place, n, out) else { continue };
            let test = terms::fresh(&mut self.program, "is_it", Type::INT, s.location);
            out.push(terms::set(&self.program, test, is_it, s.site, s.location));
            tests.push((v, test));
        }
        out.push(terms::set(&self.program, new, value, s.site, s.location));
        for (v, test) in tests {
            let set = terms::set(&self.program, v, terms::load(&self.program, new, s.location), s.site, s.location);
            let condition = terms::load(&self.program, test, s.location);
            out.push(terms::stmt(StmtKind::If(condition, vec![set], Vec::new()), s.site, s.location));
        }
    }

    /// All kept scalars inside an object become values of their own.
    fn whole(
        &mut self,
        l: &'s Lvalue,
        s: &'s Stmt,
        out: &mut Block,
        value: &mut dyn FnMut(&mut Self, IntKind, &mut Block) -> Option<Expr>,
    ) {
        let at = s.location;
        for place in self.subject.below(l).unwrap_or_default() {
            let mut targets: Vec<(VarId, Option<Expr>)> = Vec::new();
            if let Some(&v) = self.scalars.get(&place) {
                targets.push((v, None));
            }
            for (n, v) in self.cells.get(&place).cloned().unwrap_or_default() {
                // Those whose first indices are the lvalue's.
                targets.push((v, self.is_cell(l, &place, n, out)));
            }
            for (v, is_it) in targets {
                let Some(kind) = self.program.variable(v).ty.as_int() else { continue };
                let Some(value) = value(self, kind, out) else { continue };
                let set = terms::set(&self.program, v, value, s.site, at);
                out.push(match is_it {
                    None => set,
                    Some(is_it) => terms::stmt(StmtKind::If(is_it, vec![set], Vec::new()), s.site, at),
                });
            }
        }
    }
}
