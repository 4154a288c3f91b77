//! Pointers on symbols: how they are made, moved, compared and followed. `memory` says what they
//! mean.

use super::Executor;
use super::memory::{Address, Denoted, Place, Reach, Target};
use super::state::{CellOf, Object, Region, RegionStep, State, collect};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, Program, Step, Stmt, Type};
use smalti_terms::{Context, Facts, Int, Node, Sort, Symbol, Term};

impl<'p> Executor<'p> {
    /// The address of what an allocation makes: a new object in each iteration of the loops around.
    pub(super) fn allocated(&mut self, stmt: &Stmt, ty: &Type) -> Term {
        let site = self.memory.site_of.get(&stmt.id()).copied();
        let Some(site) = site.filter(|s| self.memory.sites[*s as usize].loops == self.iterations.len()) else {
            return self.unknown_of(ty, "block");
        };
        let loops = self.iterations.len();
        let element = self.memory.elements[site as usize];
        let symbol = self.place(Object::Blocks(site), vec![RegionStep::Element; loops + 1], element, None);
        self.c.apply(symbol, &self.arguments())
    }

    /// The symbol for the address of a place. `length` is the number of elements of the array that
    /// the last step goes into.
    fn place(&mut self, object: Object, path: Vec<RegionStep>, ty: &Type, length: Option<Length>) -> Symbol {
        let key = (object, path.clone());
        if let Some(symbol) = self.memory.symbols.get(&key) {
            return *symbol;
        }
        let (own, lifetimes) = match object {
            // Iterations are told apart by indexes.
            Object::Blocks(site) => (self.memory.sites[site as usize].loops + 1, 0),
            Object::Variable(v) => (1, self.memory.loops_around.get(&v).copied().unwrap_or(0)),
        };
        let is_array = path.len() == own && path.iter().all(|step| *step == RegionStep::Element);
        let reach = match (path.last(), length) {
            _ if is_array => Reach::Array,
            (Some(RegionStep::Element), Some(Length::Constant(length))) => Reach::Row(length),
            _ => Reach::Alone,
        };
        let symbol = self.c.symbol(format!("&{}", self.name_of_object(object)), Sort::Int);
        self.memory.places.insert(symbol, Place { object, path, lifetimes, reach, ty: ty.clone() });
        self.memory.symbols.insert(key, symbol);
        symbol
    }

    /// The address of a cell.
    fn address(&mut self, cell: CellOf, ty: &Type, length: Option<Length>) -> Term {
        let CellOf { region, mut indexes } = cell;
        let symbol = self.place(region.object, region.path, ty, length);
        let place = &self.memory.places[&symbol];
        let offset = match place.reach {
            Reach::Alone => None,
            Reach::Array | Reach::Row(_) => indexes.pop(),
        };
        let lifetimes = place.lifetimes;
        let mut arguments = self.arguments();
        if arguments.len() < lifetimes {
            // The variable lives only inside of loops that have ended.
            return self.unknown_of(&ty.clone().pointer_to(), "&");
        }
        arguments.truncate(lifetimes);
        arguments.extend(indexes);
        let origin = self.c.apply(symbol, &arguments);
        self.c.add(origin, offset.unwrap_or(self.c.int(0)))
    }

    /// The address of an object.
    pub(super) fn address_of(&mut self, l: &Lvalue, state: &State) -> Term {
        let length = length_around(self.program, l);
        match &l.base {
            Base::Var(variable) => {
                let region = Region::of(*variable);
                let cell = self.along(CellOf { region, indexes: Vec::new() }, &l.path, state);
                self.address(cell, &l.ty, length)
            }
            Base::Deref(pointer) if l.path.is_empty() => self.value(pointer, state),
            Base::Deref(_) => {
                let mut cases = Vec::new();
                for (given, denoted) in self.denoted(l, state) {
                    let Denoted::Cell(cell) = denoted else { return self.unknown_of(&l.ty.clone().pointer_to(), "&") };
                    cases.push((given, self.address(cell, &l.ty, length)));
                }
                match self.chosen(cases) {
                    Some(address) => address,
                    None => self.unknown_of(&l.ty.clone().pointer_to(), "&"),
                }
            }
        }
    }

    /// The value of the case that holds.
    pub(super) fn chosen(&self, cases: Vec<(Term, Term)>) -> Option<Term> {
        let mut cases = cases.into_iter().rev();
        let (_, last) = cases.next()?;
        Some(cases.fold(last, |rest, (given, value)| self.c.ite(given, value, rest)))
    }

    /// The cell at the end of a path that starts at another one.
    fn along(&mut self, from: CellOf, path: &[Step], state: &State) -> CellOf {
        let CellOf { mut region, mut indexes } = from;
        for step in path {
            region.path.push(match step {
                Step::Field(id, n) => RegionStep::Field(*id, *n),
                Step::Index(index) => {
                    indexes.push(self.value(index, state));
                    RegionStep::Element
                }
            });
        }
        CellOf { region, indexes }
    }

    /// What an lvalue denotes, by cases of which one holds in each run without undefined behaviour:
    /// a pointer that is null or was never set is not used.
    pub(super) fn denoted(&mut self, l: &Lvalue, state: &State) -> Vec<(Term, Denoted)> {
        let yes = self.c.truth(true);
        let pointer = match &l.base {
            Base::Var(variable) => {
                let object = Object::Variable(*variable);
                if self.regions_of(object).is_none() {
                    return vec![(yes, Denoted::Part(object))];
                }
                let whole = CellOf { region: Region { object, path: Vec::new() }, indexes: Vec::new() };
                return vec![(yes, Denoted::Cell(self.along(whole, &l.path, state)))];
            }
            Base::Deref(pointer) => pointer,
        };
        let value = self.value(pointer, state);
        let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
        let mut found: Vec<(Term, Denoted)> = Vec::new();
        for (given, target) in self.memory.targets(&self.c, value) {
            let denoted = match target {
                Target::Null | Target::Unset => continue,
                Target::Unknown => Denoted::Unknown,
                Target::Known(address) => match self.at(&address, ty, state) {
                    Ok(cell) => Denoted::Cell(self.along(cell, &l.path, state)),
                    Err(object) => Denoted::Part(object),
                },
            };
            found.push((given, denoted));
        }
        if found.is_empty() {
            found.push((yes, Denoted::Unknown));
        }
        found
    }

    /// The cell at an address through a pointer to `ty`, or the object that it is in.
    fn at(&mut self, address: &Address, ty: &Type, state: &State) -> Result<CellOf, Object> {
        let place = self.memory.places[&address.symbol].clone();
        let mut indexes = address.arguments[place.lifetimes..].to_vec();
        let is_inside = match place.reach {
            Reach::Alone => self.c.as_int(address.offset) == Some(Int::from(0)),
            Reach::Array => true,
            Reach::Row(length) => self.is_below(address.offset, length, state),
        };
        if place.reach != Reach::Alone {
            indexes.push(address.offset);
        }
        let is_known = is_inside && place.ty == *ty && self.regions_of(place.object).is_some();
        let region = Region { object: place.object, path: place.path };
        if is_known { Ok(CellOf { region, indexes }) } else { Err(place.object) }
    }

    /// Whether a number is at least 0 and less than `end` in all runs that are in a state.
    pub(super) fn is_below(&self, number: Term, end: u64, state: &State) -> bool {
        let c = &self.c;
        let inside = c.within(c.int(0), number, c.int(end));
        c.as_truth(inside).unwrap_or_else(|| Facts::new(c).with(state.reached).with(state.given).proves(inside))
    }

    /// The number of elements of the row that an address without an offset is the start of.
    pub(super) fn row_at(&self, origin: Term) -> Option<u64> {
        let Node::Apply(symbol, _) = *self.c.node(origin) else { return None };
        match self.memory.places.get(&symbol)?.reach {
            Reach::Row(length) => Some(length),
            Reach::Alone | Reach::Array => None,
        }
    }

    /// A pointer that is moved by a number of elements.
    pub(super) fn moved(&mut self, pointer: &Expr, by: &Expr, state: &State) -> Term {
        let (from, by) = (self.value(pointer, state), self.value(by, state));
        let stays = self.c.as_int(by) == Some(Int::from(0));
        let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
        let counts_elements = self.memory.targets(&self.c, from).into_iter().all(|(_, target)| match target {
            Target::Null | Target::Unset => true,
            Target::Unknown => false,
            Target::Known(address) => {
                let place = &self.memory.places[&address.symbol];
                place.ty == *ty && place.reach != Reach::Alone
            }
        });
        match stays || counts_elements {
            true => self.c.add(from, by),
            false => self.unknown_of(&pointer.ty, "+"),
        }
    }

    /// The number of elements from one pointer to another, where that is known.
    pub(super) fn distance(&mut self, a: &Expr, b: &Expr, state: &State) -> Option<Term> {
        let (x, y) = (self.value(a, state), self.value(b, state));
        let (x, y) = (self.memory.targets(&self.c, x), self.memory.targets(&self.c, y));
        let ([(_, Target::Known(x))], [(_, Target::Known(y))]) = (&x[..], &y[..]) else { return None };
        let same = (x.symbol, &x.arguments) == (y.symbol, &y.arguments);
        let is_counted = Some(&self.memory.places[&x.symbol].ty) == a.ty.pointee();
        (same && is_counted).then(|| self.c.sub(x.offset, y.offset))
    }

    /// Whether a comparison of pointers holds. What is not known is a new unknown.
    pub(super) fn compared(&mut self, op: BinaryOp, a: &Expr, b: &Expr, state: &State) -> Term {
        let (x, y) = (self.value(a, state), self.value(b, state));
        let negated = op == BinaryOp::NotEqual;
        let op = if negated { BinaryOp::Equal } else { op };
        let mut cases = Vec::new();
        let others = self.memory.targets(&self.c, y);
        for (p, x) in self.memory.targets(&self.c, x) {
            for (q, y) in &others {
                let holds = match self.compare(op, &x, y) {
                    Some(holds) => holds,
                    None => {
                        let unknown = self.unknown_of(&Type::Int(IntKind::Bool), "compare");
                        self.c.ne(unknown, self.c.int(0))
                    }
                };
                cases.push(self.c.and(&[p, *q, holds]));
            }
        }
        let holds = self.c.or(&cases);
        if negated { self.c.not(holds) } else { holds }
    }

    fn compare(&mut self, op: BinaryOp, x: &Target, y: &Target) -> Option<Term> {
        use BinaryOp as B;
        let c = &self.c;
        match (x, y) {
            (Target::Null, Target::Null) if op == B::Equal => Some(c.truth(true)),
            (Target::Null, Target::Known(_)) | (Target::Known(_), Target::Null) if op == B::Equal => {
                Some(c.truth(false))
            }
            (Target::Known(x), Target::Known(y)) if (x.symbol, &x.arguments) == (y.symbol, &y.arguments) => {
                let compare = match op {
                    B::Less => Context::lt,
                    B::LessEqual => Context::le,
                    B::Greater => Context::gt,
                    B::GreaterEqual => Context::ge,
                    B::Equal => Context::eq,
                    _ => return None,
                };
                Some(compare(c, x.offset, y.offset))
            }
            // The end of one object may be the start of another, so only starts are told apart.
            (Target::Known(x), Target::Known(y)) if op == B::Equal && self.is_start(x) && self.is_start(y) => {
                let (at, other) = (&self.memory.places[&x.symbol], &self.memory.places[&y.symbol]);
                if x.symbol == y.symbol {
                    let same: Vec<Term> = x.arguments.iter().zip(&y.arguments).map(|(x, y)| c.eq(*x, *y)).collect();
                    return Some(c.and(&same));
                }
                let (at, other) = (at.object, other.object);
                (at != other && self.is_apart(at) && self.is_apart(other)).then(|| self.c.truth(false))
            }
            _ => None,
        }
    }

    /// Whether no other object has the same start: literals may share cells, and so may what has no
    /// cells. (A block of no elements has an address of its own, C11 7.22.3.)
    fn is_apart(&mut self, object: Object) -> bool {
        let is_literal = matches!(object, Object::Variable(v) if self.program.is_literal(v));
        !is_literal && self.regions_of(object).is_some_and(|regions| !regions.is_empty())
    }

    /// Whether an address has no offset that could lead out of its object.
    fn is_start(&self, address: &Address) -> bool {
        self.c.as_int(address.offset) == Some(Int::from(0))
    }

    /// Whether a pointer is not null. What is not known is a new unknown.
    pub(super) fn is_pointer_set(&mut self, pointer: &Expr, state: &State) -> Term {
        let null = Expr::new(ExprKind::Int(0), pointer.ty.clone(), pointer.location);
        self.compared(BinaryOp::NotEqual, pointer, &null, state)
    }

    /// The regions of an object, with their types; `None` if it has members that share cells.
    pub(super) fn regions_of(&mut self, object: Object) -> Option<Vec<(Region, &'p Type)>> {
        if let Some(known) = self.regions.get(&object) {
            return known.clone();
        }
        let program = self.program;
        let (path, ty) = match object {
            Object::Variable(v) => (Vec::new(), &program.variable(v).ty),
            Object::Blocks(site) => {
                let loops = self.memory.sites[site as usize].loops;
                (vec![RegionStep::Element; loops + 1], self.memory.elements[site as usize])
            }
        };
        let mut found = Vec::new();
        let found = collect(program, Region { object, path }, ty, &mut found).map(|()| found);
        self.regions.insert(object, found.clone());
        found
    }
}

/// The number of elements of the array that the last step of a path goes into.
fn length_around(program: &Program, l: &Lvalue) -> Option<Length> {
    let (Step::Index(_), before) = l.path.split_last()? else { return None };
    match program.type_along(&l.base, before) {
        Type::Array(_, length) => Some(*length),
        _ => None,
    }
}
