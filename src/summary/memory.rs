//! Pointers as terms: what they point to, how they are made, moved and compared.
//!
//! **Meaning.** A pointer is an integer term: the address of a place plus a number of elements. The
//! address of a place is a symbol for the object and the way to the place, applied to the indexes
//! on that way. Each execution of an allocation makes an object of its own: the iteration numbers
//! of the loops around it are indexes too, so a statement is one object that has an array for each
//! iteration. The null pointer is 0.
//!
//! **Why this is sound.** Let the symbols of addresses stand for numbers that lie so far apart that
//! no two pointers of a run have the same number unless they are equal. Then whatever is true of
//! all integers is true of pointers, and a term that is an address plus an offset without addresses
//! is a pointer to that place. Numbers are used for nothing else: comparisons and differences are
//! made of offsets and indexes here, and conversions between pointers and numbers are unknown.
//!
//! **Limits.** An offset counts elements of the type that the place was made with. Through another
//! type nothing is known but the object. In rows of matrices and members of structs pointers move
//! only where the result is known to stay inside.

use super::Executor;
use super::state::{Object, Region, RegionStep, State, collect};
use super::value::CellOf;
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, IntKind, Length, Location, Lvalue, Part, Program, Step, Stmt, StmtKind,
    Type, Use, VarId, each_part_of_lvalue,
};
use smalti_terms::{Context, Int, Node, Poly, Sort, Symbol, Term};
use std::collections::{HashMap, HashSet};

/// A pointer may point to so many places, one for each case.
const MOST_PLACES: usize = 8;

/// The blocks of memory that one statement allocates.
#[derive(Clone, Debug)]
pub struct AllocationSite {
    /// Where the statement stands.
    pub location: Location,
    /// The name of the variable that receives the address, or through which it is stored.
    pub name: String,
    /// The number of loops around the statement. The cells have so many indexes more: the iteration
    /// numbers, from the outside in.
    pub loops: usize,
    /// Whether the blocks are filled with zeros.
    pub(super) zeroed: bool,
}

/// How far pointers to a place may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// Nowhere: there is one such place.
    Alone,
    /// Along an array that is an object of its own. What is outside does not exist.
    Array,
    /// Along an array of so many elements that has something beside it.
    Row(u64),
}

/// What the symbol of an address means.
#[derive(Clone, Debug)]
struct Place {
    object: Object,
    /// The way there. The last index is the offset of the pointer, unless the place is alone.
    path: Vec<RegionStep>,
    /// So many arguments are no indexes: they tell different lifetimes of a variable apart.
    lifetimes: usize,
    reach: Reach,
    /// The type of what lies there.
    ty: Type,
}

/// An address that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    symbol: Symbol,
    arguments: Vec<Term>,
    offset: Term,
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Null,
    /// The pointer was never set. To use it as an address is undefined behaviour.
    Unset,
    Unknown,
    Known(Address),
}

/// What an lvalue denotes.
pub(super) enum Denoted {
    Cell(CellOf),
    /// Some part of an object.
    Part(Object),
    Unknown,
}

/// What is known of addresses.
pub(super) struct Memory<'p> {
    pub(super) sites: Vec<AllocationSite>,
    /// By site, the type of the elements.
    elements: Vec<&'p Type>,
    /// The site that a statement is.
    site_of: HashMap<*const Stmt, u32>,
    /// The number of loops around the declarations of variables.
    loops_around: HashMap<VarId, usize>,
    places: HashMap<Symbol, Place>,
    symbols: HashMap<(Object, Vec<RegionStep>), Symbol>,
    /// The unknowns that stand for contents of new objects.
    unset: HashSet<Symbol>,
}

impl<'p> Memory<'p> {
    /// What blocks of a program allocate and declare.
    pub(super) fn of(program: &Program, blocks: [&'p Block; 2]) -> Memory<'p> {
        let mut memory = Memory {
            sites: Vec::new(),
            elements: Vec::new(),
            site_of: HashMap::new(),
            loops_around: HashMap::new(),
            places: HashMap::new(),
            symbols: HashMap::new(),
            unset: HashSet::new(),
        };
        blocks.into_iter().for_each(|block| memory.look(program, block, 0));
        memory
    }

    fn look(&mut self, program: &Program, block: &'p Block, loops: usize) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Declare(v) => _ = self.loops_around.insert(*v, loops),
                StmtKind::Allocate { target, element, zeroed, .. } => {
                    let number = u32::try_from(self.sites.len()).unwrap_or(u32::MAX);
                    self.site_of.insert(std::ptr::from_ref(stmt), number);
                    let name =
                        receiver(target).map_or("block".to_owned(), |v| program.variable(v).shown().into_owned());
                    self.elements.push(element);
                    self.sites.push(AllocationSite { location: stmt.location, name, loops, zeroed: *zeroed });
                }
                _ => {}
            }
            let inside = loops + usize::from(matches!(stmt.kind, StmtKind::Loop(_)));
            stmt.blocks().for_each(|b| self.look(program, b, inside));
        }
    }

    /// All objects that are not variables.
    pub(super) fn blocks(&self) -> Vec<Object> {
        (0..).zip(&self.sites).map(|(n, _)| Object::Blocks(n)).collect()
    }

    /// Notes that an unknown stands for the contents of a new object.
    pub(super) fn has_unset(&mut self, c: &Context, unknown: Term) {
        if let Node::Apply(symbol, _) = *c.node(unknown) {
            self.unset.insert(symbol);
        }
    }

    /// Whether an atom may be what a pointer is an offset from.
    fn is_origin(&self, c: &Context, atom: Term) -> bool {
        match &*c.node(atom) {
            Node::Apply(symbol, _) => self.places.contains_key(symbol) || self.unset.contains(symbol),
            Node::Read(array, _) => {
                matches!(&*c.node(*array), Node::Apply(symbol, _) if self.unset.contains(symbol))
            }
            Node::Ite(_, a, b) => self.origin(c, *a).is_some() || self.origin(c, *b).is_some(),
            _ => false,
        }
    }

    /// The part of a pointer that is no offset.
    fn origin(&self, c: &Context, t: Term) -> Option<Term> {
        let mut found = None;
        for atom in c.poly(t).atoms().into_iter().filter(|atom| self.is_origin(c, *atom)) {
            let rest = c.poly(t).sub(&Poly::atom(atom));
            if found.is_some() || rest.degree_in(atom) > 0 {
                return None;
            }
            found = Some(atom);
        }
        found
    }

    /// Splits a pointer whose places are all known into a part that does not move and an offset.
    pub(super) fn split(&self, c: &Context, pointer: Term) -> Option<(Term, Term)> {
        let origin = self.origin(c, pointer)?;
        let is_known = self.targets(c, pointer).iter().all(|(_, target)| matches!(target, Target::Known(_)));
        is_known.then(|| (origin, c.sub(pointer, origin)))
    }

    /// The offset from `origin` of a pointer whose places are all known, if it is one from there.
    pub(super) fn offset_from(&self, c: &Context, pointer: Term, origin: Term) -> Option<Term> {
        self.split(c, pointer).filter(|split| split.0 == origin).map(|split| split.1)
    }

    /// What a pointer points to, by cases of which one holds.
    pub(super) fn targets(&self, c: &Context, pointer: Term) -> Vec<(Term, Target)> {
        let mut found = Vec::new();
        self.add_targets(c, pointer, c.truth(true), &mut found);
        if found.len() > MOST_PLACES {
            return vec![(c.truth(true), Target::Unknown)];
        }
        found
    }

    fn add_targets(&self, c: &Context, pointer: Term, given: Term, found: &mut Vec<(Term, Target)>) {
        if c.as_truth(given) == Some(false) || found.len() > MOST_PLACES {
            return;
        }
        if c.as_int(pointer) == Some(Int::from(0)) {
            return found.push((given, Target::Null));
        }
        let Some(origin) = self.origin(c, pointer) else { return found.push((given, Target::Unknown)) };
        let offset = c.sub(pointer, origin);
        if c.has_symbol(offset, |symbol| self.places.contains_key(&symbol)) {
            return found.push((given, Target::Unknown));
        }
        match &*c.node(origin) {
            Node::Ite(p, a, b) => {
                self.add_targets(c, c.add(*a, offset), c.and(&[given, *p]), found);
                self.add_targets(c, c.add(*b, offset), c.and(&[given, c.not(*p)]), found);
            }
            Node::Apply(symbol, arguments) if self.places.contains_key(symbol) => {
                let address = Address { symbol: *symbol, arguments: arguments.clone(), offset };
                found.push((given, Target::Known(address)));
            }
            _ => found.push((given, Target::Unset)),
        }
    }
}

/// The variable that receives an address, or through which it is stored.
fn receiver(target: &Lvalue) -> Option<VarId> {
    let mut found = None;
    each_part_of_lvalue(target, Use::Write, &mut |part| {
        if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, _) = part {
            found.get_or_insert(*v);
        }
    });
    target.as_base().or(found)
}

impl<'p> Executor<'p> {
    /// The address of what an allocation makes: a new object in each iteration of the loops around.
    pub(super) fn allocated(&mut self, stmt: &Stmt, ty: &Type) -> Term {
        let site = self.memory.site_of.get(&std::ptr::from_ref(stmt)).copied();
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
        let mut arguments = self.arguments();
        // A variable whose lifetime has ended has no address any more.
        arguments.truncate(place.lifetimes);
        arguments.extend(indexes);
        let origin = self.c.apply(symbol, &arguments);
        self.c.add(origin, offset.unwrap_or(self.c.int(0)))
    }

    /// The address of an object.
    pub(super) fn address_of(&mut self, l: &Lvalue, state: &State) -> Term {
        let length = length_around(self.program, l);
        match &l.base {
            Base::Var(variable) => {
                let region = Region { object: Object::Variable(*variable), path: Vec::new() };
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
                Target::Known(address) => match self.at(&address, ty) {
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
    fn at(&mut self, address: &Address, ty: &Type) -> Result<CellOf, Object> {
        let place = self.memory.places[&address.symbol].clone();
        let mut indexes = address.arguments[place.lifetimes..].to_vec();
        let is_inside = match place.reach {
            Reach::Alone => self.c.as_int(address.offset) == Some(Int::from(0)),
            Reach::Array => true,
            Reach::Row(length) => {
                let (lo, hi) = self.c.range_of(address.offset);
                lo.is_some_and(|lo| lo >= Int::from(0)) && hi.is_some_and(|hi| hi < Int::from(length))
            }
        };
        if place.reach != Reach::Alone {
            indexes.push(address.offset);
        }
        let is_known = is_inside && place.ty == *ty && self.regions_of(place.object).is_some();
        let region = Region { object: place.object, path: place.path };
        if is_known { Ok(CellOf { region, indexes }) } else { Err(place.object) }
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
