//! Checks whether the formulas hold in runs: the oracle of the soundness tests. Formulas are
//! evaluated on the states of the interpreter, which is independent of the domains.

use super::formula::{Atom, Atoms, Cells, Formula, PathStep};
use super::{AllowedNames, Invariant};
use crate::analysis::cut_points::CutPoint;
use crate::analysis::{AnalysisConfig, Error, Solved};
use crate::annotate::scopes::Scope;
use crate::facts;
use crate::inline::Inlined;
use crate::interpreter::{ObjectRef, Observer, Seen, State};
use crate::program::{LoopKind, Program, Stmt, StmtId, StmtKind, Type, VarId, each_stmt};
use smalti_core::{Constraint, LinearExpr, Relation};
use std::collections::HashMap;
use std::rc::Rc;

/// The invariants of a program, against which runs are checked.
pub struct HeldInvariants {
    places: Vec<(CutPoint, Invariant)>,
    /// By a loop statement: its place.
    tests: HashMap<StmtId, usize>,
    /// By a statement before which a run is at a place: the place, and what names mean there.
    at: HashMap<StmtId, Vec<(usize, Rc<Scope>)>>,
}

impl HeldInvariants {
    /// Finds the invariants of `source`, whose runs will be those of `inlined`.
    ///
    /// # Errors
    /// The stack is not available.
    pub fn new(
        source: &Program,
        inlined: &Inlined,
        config: &AnalysisConfig,
        names: AllowedNames,
    ) -> Result<Self, Error> {
        let solved = Solved::keeping(inlined, config, Some(source), None)?;
        let mut found = HeldInvariants {
            places: super::find(&solved, source, inlined, config, names, &mut |_| ()),
            tests: HashMap::new(),
            at: HashMap::new(),
        };
        for (n, (place, _)) in found.places.iter().enumerate() {
            for (statement, scope) in &place.at {
                if place.head_of.is_some() {
                    found.tests.insert(*statement, n);
                } else {
                    found.at.entry(*statement).or_default().push((n, scope.clone()));
                }
            }
        }
        // A `do` loop has its head where the body begins.
        if let Some(body) = &inlined.program.function(inlined.program.entry).body {
            each_stmt(body, &mut |s| {
                let StmtKind::Loop(l) = &s.kind else { return };
                let id = s.id();
                if l.kind != LoopKind::DoWhile {
                    return;
                }
                let (Some(n), mut first) = (found.tests.remove(&id), l.body.first()) else { return };
                while let Some(StmtKind::Block(b)) = first.map(|s| &s.kind) {
                    first = b.first();
                }
                // A jump may reach a label from elsewhere.
                if let Some(first) = first.filter(|s| !matches!(s.kind, StmtKind::Label(..)))
                    && let Some(scope) = found.places[n].0.at.get(&id)
                {
                    let scope = scope.clone();
                    found.at.entry(first.id()).or_default().push((n, scope));
                }
            });
        }
        Ok(found)
    }

    /// How many formulas there are.
    pub fn formulas(&self) -> usize {
        self.places.iter().map(|(_, i)| i.formulas.len()).sum()
    }

    /// How many of them are about all cells in a range.
    pub fn ranges(&self) -> usize {
        self.places.iter().flat_map(|(_, i)| &i.formulas).filter(|f| f.range.is_some()).count()
    }

    /// An observer for one run; it checks no more than `limit` states.
    pub fn watch(&self, limit: usize) -> Held<'_> {
        Held { all: self, left: limit, violation: None, looked: 0 }
    }
}

/// Watches one run.
pub struct Held<'a> {
    all: &'a HeldInvariants,
    left: usize,
    /// The first formula that does not hold: its place and its text.
    pub violation: Option<String>,
    /// How many formulas were checked against a state.
    pub looked: u64,
}

impl Observer for Held<'_> {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        let all = self.all;
        for (n, scope) in all.at.get(&stmt.id()).into_iter().flatten() {
            self.look(*n, scope, state);
        }
    }

    fn test(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        let all = self.all;
        let id = stmt.id();
        if let Some(n) = all.tests.get(&id)
            && let Some(scope) = all.places[*n].0.at.get(&id)
        {
            self.look(*n, scope, state);
        }
    }
}

/// How many cells of a range are checked, from either end.
const CELLS: i128 = 24;

impl Held<'_> {
    fn look(&mut self, place: usize, scope: &Scope, state: &State<'_, '_>) {
        // The graph does not contain what runs inside calls that were not inlined.
        if self.left == 0 || self.violation.is_some() || state.depth() != 1 {
            return;
        }
        self.left -= 1;
        let (_, invariant) = &self.all.places[place];
        let at = || state.program().sources.describe(invariant.location);
        if invariant.unreachable {
            self.violation = Some(format!("{}: a run comes here", at()));
            return;
        }
        let eyes = Eyes { atoms: &invariant.atoms, scope, state };
        for formula in &invariant.formulas {
            self.looked += 1;
            if let Err(why) = eyes.formula(formula) {
                let text = facts::texts(&formula.facts(&invariant.atoms, "k"), " and ");
                self.violation = Some(format!("{}: `{text}` does not hold: {why}", at()));
                return;
            }
        }
    }
}

/// A state, and the meaning of formulas in it. A formula with a value that the run does not know is
/// not judged.
struct Eyes<'a> {
    atoms: &'a Atoms,
    scope: &'a Scope,
    state: &'a State<'a, 'a>,
}

/// `Ok(None)`: the run does not know.
type Value = Result<Option<i128>, String>;

impl Eyes<'_> {
    fn formula(&self, formula: &Formula) -> Result<(), String> {
        let Some(range) = &formula.range else { return self.all(&formula.body, None) };
        let (Some(low), Some(high)) = (self.sum(&range.low, None)?, self.sum(&range.high, None)?) else {
            return Ok(());
        };
        let near = low..high.min(low.saturating_add(CELLS));
        let far = near.end.max(high.saturating_sub(CELLS))..high;
        for k in near.chain(far) {
            self.all(&formula.body, Some(k)).map_err(|why| format!("{why} for the cell {k}"))?;
        }
        Ok(())
    }

    fn all(&self, constraints: &[Constraint], k: Option<i128>) -> Result<(), String> {
        for c in constraints {
            let Some(value) = self.sum(&c.expr, k)? else { continue };
            let holds = match c.relation {
                Relation::NonNegative => value >= 0,
                Relation::Zero => value == 0,
                Relation::NonZero => value != 0,
            };
            if !holds {
                return Err(format!("{c:?} has the value {value}"));
            }
        }
        Ok(())
    }

    fn sum(&self, e: &LinearExpr, k: Option<i128>) -> Value {
        let mut sum = e.constant_part();
        for (v, c) in e.terms() {
            let Some(atom) = self.atoms.atom(*v) else { return Ok(None) };
            let Some(value) = self.atom(atom, k)? else { return Ok(None) };
            let Some(next) = c.checked_mul(value).and_then(|t| sum.checked_add(t)) else { return Ok(None) };
            sum = next;
        }
        Ok(Some(sum))
    }

    fn atom(&self, atom: &Atom, k: Option<i128>) -> Value {
        let variable = |name: &String| self.scope.names.get(name).copied();
        match atom {
            Atom::Index => Ok(k),
            Atom::Result => Ok(self.scope.result.and_then(|v| int(self.state.scalar(v)))),
            Atom::Value { variable: name, members } => Ok(variable(name).and_then(|v| self.value(v, members))),
            Atom::Offset { variable: name, members } => {
                let pointer = variable(name).filter(|_| members.is_empty()).and_then(|v| self.state.scalar(v));
                let Some(Seen::Pointer(object, at)) = pointer else { return Ok(None) };
                // Only if it is clear what is counted.
                let Some((Type::Array(element, _), _)) = self.state.shape(object) else { return Ok(None) };
                if matches!(**element, Type::Array(..) | Type::Struct(_)) {
                    return Ok(None);
                }
                Ok(Some(at.into()))
            }
            Atom::Length(cells) => {
                let [PathStep::Subscript { .. }] = cells.path[..] else { return Ok(None) };
                let Some((object, _, _)) = self.base(cells) else { return Ok(None) };
                let Some((Type::Array(element, _), leaves)) = self.state.shape(object) else { return Ok(None) };
                Ok(Some(i128::from(leaves / self.state.leaves(element).max(1))))
            }
            Atom::Cell(cells, members) => match k {
                Some(k) => self.cell(cells, members, k),
                None => Ok(None),
            },
        }
    }

    fn value(&self, v: VarId, members: &[String]) -> Option<i128> {
        if members.is_empty() {
            return int(self.state.scalar(v));
        }
        let (leaf, ty) = self.members(0, &self.state.program().variable(v).ty, members)?;
        int(self.state.cell(self.state.object(v)?, leaf, ty))
    }

    /// The leaf and the type that a path of members leads to.
    fn members<'t>(&'t self, mut leaf: u64, mut ty: &'t Type, members: &[String]) -> Option<(u64, &'t Type)> {
        for member in members {
            let Type::Struct(id) = ty else { return None };
            let structure = self.state.program().structure(*id);
            let n = structure.members.iter().position(|m| m.name == *member)?;
            leaf += self.state.member_leaf(*id, n as u32)?;
            ty = &structure.members[n].ty;
        }
        Some((leaf, ty))
    }

    /// The object that is an array or that a pointer points to, the leaf at which it starts, and
    /// its type or that of an element.
    fn base(&self, cells: &Cells) -> Option<(ObjectRef, u64, &Type)> {
        let v = *self.scope.names.get(&cells.variable)?;
        match &self.state.program().variable(v).ty {
            Type::Pointer(to) => match self.state.scalar(v)? {
                Seen::Pointer(object, at) => Some((object, at.try_into().ok()?, to)),
                _ => None,
            },
            ty => Some((self.state.object(v)?, 0, ty)),
        }
    }

    fn cell(&self, cells: &Cells, members: &[String], k: i128) -> Value {
        let Some((object, mut leaf, mut ty)) = self.base(cells) else { return Ok(None) };
        let Ok(k) = u64::try_from(k) else { return Err(format!("there is no cell {k}")) };
        let pointer = matches!(
            self.scope.names.get(&cells.variable).map(|v| &self.state.program().variable(*v).ty),
            Some(Type::Pointer(_))
        );
        for (n, step) in cells.path.iter().enumerate() {
            match (step, ty) {
                (PathStep::Subscript { cells, length }, _) => {
                    let element = match ty {
                        _ if pointer && n == 0 => ty,
                        Type::Array(element, _) => element,
                        _ => return Ok(None),
                    };
                    let number = k / (*cells).max(1);
                    leaf += length.map_or(number, |l| number % l.max(1)) * self.state.leaves(element);
                    ty = element;
                }
                (PathStep::Member(m), _) => match self.members(leaf, ty, std::slice::from_ref(m)) {
                    Some((at, of)) => (leaf, ty) = (at, of),
                    None => return Ok(None),
                },
            }
        }
        let Some((leaf, ty)) = self.members(leaf, ty, members) else { return Ok(None) };
        match self.state.cell(object, leaf, ty) {
            None => Err("it lies outside of the object".to_owned()),
            seen => Ok(int(seen)),
        }
    }
}

fn int(seen: Option<Seen>) -> Option<i128> {
    match seen {
        Some(Seen::Int(n)) => Some(n),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::inline;
    use crate::interpreter::{self, Limits};
    use crate::lower::{LowerOptions, load_text};

    struct Zeros;

    impl interpreter::Environment for Zeros {
        fn input(&mut self, _: crate::program::InputId, _: &Type, _: crate::program::Location) -> i128 {
            0
        }
        fn arbitrary(&mut self, _: &interpreter::CellOrigin<'_>, _: &Type) -> i128 {
            0
        }
        fn havoc(&mut self, _: &Type, _: crate::program::Location) -> i128 {
            0
        }
    }

    const TEXT: &str = "int a[9];\nint f(int *p, int n) {\n  for (int i = 0; i < n; i++) p[i] = 7;\n  return n;\n}\n\
                        int main(void) {\n  int j = 9;\n  do { j--; } while (j > 0);\n  return f(a, 9);\n}\n";

    /// The violation that a run finds once `change` is made to each formula.
    fn violation(change: impl Fn(&mut Formula)) -> (Option<String>, u64) {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("x.c", TEXT, &options).expect("a program");
        let inlined = inline(&program);
        let config = AnalysisConfig { stack: Some("relation/partition/octagon".into()), ..AnalysisConfig::default() };
        let mut held = HeldInvariants::new(&program, &inlined, &config, AllowedNames::Reader).expect("the stack");
        held.places.iter_mut().flat_map(|p| &mut p.1.formulas).for_each(change);
        let mut watch = held.watch(1000);
        interpreter::run(&inlined.program, &mut Zeros, &mut watch, &Limits::default());
        (watch.violation, watch.looked)
    }

    #[test]
    fn what_is_found_holds_and_is_looked_at() {
        let (violation, looked) = violation(|_| {});
        assert_eq!(violation, None);
        assert!(looked > 40, "{looked}");
    }

    #[test]
    fn a_range_that_is_too_long_is_noticed() {
        let longer = |f: &mut Formula| {
            if let Some(range) = &mut f.range {
                range.high = range.high.add_constant(1).expect("a small number");
            }
        };
        assert!(violation(longer).0.is_some());
    }

    #[test]
    fn a_value_that_is_wrong_is_noticed() {
        let other = |f: &mut Formula| {
            for c in f.body.iter_mut().filter(|_| f.range.is_some()) {
                c.expr = c.expr.add_constant(1).expect("a small number");
                c.relation = Relation::Zero;
            }
        };
        assert!(violation(other).0.is_some());
    }

    #[test]
    fn a_bound_of_a_scalar_that_is_wrong_is_noticed() {
        let tighter = |f: &mut Formula| {
            for c in f.body.iter_mut().filter(|c| f.range.is_none() && c.relation == Relation::NonNegative) {
                c.expr = c.expr.add_constant(-1).expect("a small number");
            }
        };
        assert!(violation(tighter).0.is_some());
    }
}
