//! The values of variables on one path, as terms of an SMT solver.
//!
//! The scalars at one path of members and indexes are a region: a single integer, or an array of
//! integers with one dimension for each index. Regions do not overlap.

use crate::program::{DataModel, IntKind, Length, Program, SnapshotId, StructId, Type, VarId};
use crate::smt::{Declarations, Function, IntOp, Order, Sort, Symbol, Term};
use std::collections::HashMap;
use std::rc::Rc;

/// A step to a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Part {
    /// Every element of an array.
    Elements,
    /// A member of a struct, by its number.
    Member(StructId, u32),
}

/// A variable, and the path to some of its scalars.
pub(super) type Region = (VarId, Vec<Part>);

/// A term with a name. Equal names stand for equal values.
#[derive(Clone, Debug)]
pub(super) struct Named {
    name: u32,
    pub(super) term: Term,
}

/// The values on one path.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Whether a run takes the path up to here.
    pub(super) path: Term,
    /// The values of the regions that are no longer the initial ones.
    values: HashMap<Region, Named>,
    /// What the variables held when the snapshots were taken that every run on the path has taken.
    pub(super) snapshots: HashMap<SnapshotId, Rc<State>>,
}

/// The symbols of all paths, and what is known of them.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    pub(super) declarations: Declarations,
    /// What holds whatever path a run takes.
    pub(super) facts: Vec<Term>,
    /// The functions of formulas that are defined by recursion, in the order of the program.
    pub(super) functions: Vec<Function>,
    initial: HashMap<Region, Named>,
    names: u32,
}

/// An integer with bounds that hold on the path where it is computed.
#[derive(Clone, Debug)]
pub(super) struct Num {
    pub(super) term: Term,
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Named {
    pub(super) fn name(&self) -> u32 {
        self.name
    }
}

impl Num {
    pub(super) fn constant(n: i128) -> Num {
        Num { term: Term::int(n), low: n, high: n }
    }

    /// The truth value as C has it.
    pub(super) fn of_condition(condition: Term) -> Num {
        Num { term: condition.choose(Term::int(1), Term::int(0)), low: 0, high: 1 }
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }
}

/// `low <= t <= high`
pub(super) fn within(t: &Term, low: i128, high: i128) -> Term {
    let least = Term::int(low).int_order(Order::LessEqual, t.clone());
    Term::and([least, t.clone().int_order(Order::LessEqual, Term::int(high))])
}

/// `a + b`
pub(super) fn plus(a: Term, b: Term) -> Term {
    a.int_op(IntOp::Add, b)
}

/// The quotient of C, rounded towards zero, where `b` is not 0. SMT-LIB has the one whose remainder
/// is not negative; both agree where `a` is not negative, and `-a / b` is `-(a / b)` in C.
pub(super) fn quotient(a: &Term, b: &Term) -> Term {
    let minus = |t: &Term| Term::int(0).int_op(IntOp::Sub, t.clone());
    let positive = a.clone().int_order(Order::GreaterEqual, Term::int(0));
    let below = minus(&minus(a).int_op(IntOp::Div, b.clone()));
    positive.choose(a.clone().int_op(IntOp::Div, b.clone()), below)
}

/// The remainder that goes with [`quotient`].
pub(super) fn remainder(a: &Term, b: &Term) -> Term {
    a.clone().int_op(IntOp::Sub, quotient(a, b).int_op(IntOp::Mul, b.clone()))
}

impl Symbols {
    fn name(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// A name that is used nowhere else.
    pub(super) fn symbol(&mut self) -> Symbol {
        Symbol::new(&format!("v{}", self.name()))
    }

    /// Gives a term a name.
    pub(super) fn define(&mut self, term: Term) -> Term {
        let symbol = self.symbol();
        self.declarations.define(symbol, term)
    }

    /// An unknown integer.
    pub(super) fn unknown(&mut self) -> Term {
        let symbol = self.symbol();
        self.declarations.constant(symbol, Sort::Int)
    }

    /// An unknown value of that type.
    pub(super) fn unknown_of(&mut self, kind: IntKind, model: DataModel) -> Num {
        let (low, high) = (kind.min(model), kind.max(model));
        let term = self.unknown();
        self.facts.push(within(&term, low, high));
        Num { term, low, high }
    }

    /// Unknown integers of that type in an array with so many dimensions; without any, one.
    pub(super) fn contents(&mut self, dimensions: usize, kind: IntKind, model: DataModel) -> Term {
        if dimensions == 0 {
            return self.unknown_of(kind, model).term;
        }
        let symbol = self.symbol();
        self.declarations.constant(symbol, sort(dimensions))
    }

    /// Unknown contents of a region.
    fn unknown_region(&mut self, region: &Region, kind: IntKind, model: DataModel) -> Named {
        let term = self.contents(dimensions(&region.1), kind, model);
        Named { name: self.name(), term }
    }

    fn initial(&mut self, region: &Region, kind: IntKind, model: DataModel) -> Named {
        if let Some(known) = self.initial.get(region) {
            return known.clone();
        }
        let new = self.unknown_region(region, kind, model);
        self.initial.insert(region.clone(), new.clone());
        new
    }

    /// The state in which a run begins.
    pub(super) fn start() -> State {
        State { path: Term::bool(true), values: HashMap::new(), snapshots: HashMap::new() }
    }

    pub(super) fn value(&mut self, state: &State, region: &Region, kind: IntKind, model: DataModel) -> Term {
        match state.values.get(region) {
            Some(known) => known.term.clone(),
            None => self.initial(region, kind, model).term,
        }
    }

    /// [`Symbols::value`], with its name.
    pub(super) fn named(&mut self, state: &State, region: &Region, kind: IntKind, model: DataModel) -> Named {
        match state.values.get(region) {
            Some(known) => known.clone(),
            None => self.initial(region, kind, model),
        }
    }

    pub(super) fn set(&mut self, state: &mut State, region: Region, value: Term) {
        let term = self.define(value);
        let name = self.name();
        state.values.insert(region, Named { name, term });
    }

    /// Gives a region arbitrary contents.
    pub(super) fn forget(&mut self, state: &mut State, region: Region, kind: IntKind, model: DataModel) {
        let new = self.unknown_region(&region, kind, model);
        state.values.insert(region, new);
    }

    /// Restricts the path to runs in which the condition holds.
    pub(super) fn assume(&mut self, state: &mut State, condition: Term) {
        let path = Term::and([state.path.clone(), condition]);
        state.path = self.define(path);
    }

    /// The state where two paths meet. A run takes at most one of them.
    pub(super) fn join(&mut self, a: State, b: State, program: &Program) -> State {
        let mut regions: Vec<Region> = a.values.keys().chain(b.values.keys()).cloned().collect();
        regions.sort();
        regions.dedup();
        let (first, both) = (a.path.clone(), Term::or([a.path.clone(), b.path.clone()]));
        let mut snapshots = a.snapshots.clone();
        snapshots.retain(|id, taken| b.snapshots.get(id).is_some_and(|other| Rc::ptr_eq(taken, other)));
        let mut joined = State { path: self.define(both), values: HashMap::new(), snapshots };
        for region in regions {
            let Some(kind) = kind_of(program, &region) else { continue };
            let mut of = |state: &State| match state.values.get(&region) {
                Some(known) => known.clone(),
                None => self.initial(&region, kind, program.data_model),
            };
            let (x, y) = (of(&a), of(&b));
            let value = match x.name == y.name {
                true => x,
                false => {
                    let term = self.define(first.clone().choose(x.term, y.term));
                    Named { name: self.name(), term }
                }
            };
            joined.values.insert(region, value);
        }
        joined
    }
}

/// How many indexes lie on a path.
pub(super) fn dimensions(path: &[Part]) -> usize {
    path.iter().filter(|p| **p == Part::Elements).count()
}

/// The sort of a region with so many dimensions.
pub(super) fn sort(dimensions: usize) -> Sort {
    (0..dimensions).fold(Sort::Int, |element, _| Sort::array(Sort::Int, element))
}

/// The regions of integers in an object of a type, behind a path. `None` if some of them overlap.
pub(super) fn regions(program: &Program, ty: &Type, path: &[Part]) -> Option<Vec<(Vec<Part>, IntKind)>> {
    match ty {
        Type::Int(kind) => Some(vec![(path.to_vec(), *kind)]),
        Type::Array(element, _) => {
            let mut path = path.to_vec();
            path.push(Part::Elements);
            regions(program, element, &path)
        }
        Type::Struct(id) => {
            let structure = program.structure(*id);
            if structure.is_union || structure.members.iter().any(|m| m.bits.is_some()) {
                return None;
            }
            let mut found = Vec::new();
            for (n, member) in structure.members.iter().enumerate() {
                let mut path = path.to_vec();
                path.push(Part::Member(*id, u32::try_from(n).ok()?));
                found.extend(regions(program, &member.ty, &path)?);
            }
            Some(found)
        }
        // Their values are not followed.
        Type::Float(_) | Type::Pointer(_) | Type::Void | Type::Function => Some(Vec::new()),
    }
}

/// The type of the integers of a region.
pub(super) fn kind_of(program: &Program, region: &Region) -> Option<IntKind> {
    let mut ty = &program.variable(region.0).ty;
    for part in &region.1 {
        ty = match (part, ty) {
            (Part::Elements, Type::Array(element, _)) => element,
            (Part::Member(id, n), Type::Struct(_)) => &program.structure(*id).members.get(*n as usize)?.ty,
            _ => return None,
        };
    }
    ty.as_int()
}

/// The way from a variable to a scalar or another part of it.
pub(super) struct Route<'p> {
    program: &'p Program,
    pub(super) region: Region,
    /// The indexes so far.
    pub(super) indexes: Vec<Term>,
    /// The type at the end.
    pub(super) ty: &'p Type,
}

impl<'p> Route<'p> {
    pub(super) fn new(program: &'p Program, v: VarId) -> Route<'p> {
        Route { program, region: (v, Vec::new()), indexes: Vec::new(), ty: &program.variable(v).ty }
    }

    /// Goes on to an element. Returns the length of the array; `None` if it is no array.
    pub(super) fn element(&mut self, index: Term) -> Option<Length> {
        let Type::Array(element, length) = self.ty else { return None };
        self.indexes.push(index);
        self.region.1.push(Part::Elements);
        self.ty = element;
        Some(*length)
    }

    /// Goes on to a member; `None` if there is none, or if it may overlap with others.
    pub(super) fn member(&mut self, id: StructId, n: u32) -> Option<()> {
        let structure = self.program.structure(id);
        let member = structure.members.get(n as usize)?;
        if *self.ty != Type::Struct(id) || structure.is_union || member.bits.is_some() {
            return None;
        }
        self.region.1.push(Part::Member(id, n));
        self.ty = &member.ty;
        Some(())
    }
}

/// The term that is below the length of an array, if the length is known.
pub(super) fn length(symbols: &mut Symbols, state: &State, program: &Program, length: Length) -> Option<Term> {
    match length {
        Length::Constant(n) => Some(Term::int(i128::from(n))),
        Length::Variable(v) => {
            let kind = program.variable(v).ty.as_int()?;
            Some(symbols.value(state, &(v, Vec::new()), kind, program.data_model))
        }
        Length::Unknown => None,
    }
}
